# midimetro: build, test, install.
#
#   make run [ARGS="120 --to TR-8S"]   install what is missing, build, run
#   make test                          every check and test; last line "N passed, N failed"
#   make bench                         the long measurements, into build/benchmarks.md
#   make bench-follow                  the reading of clocks over seeded streams, beside other ways; fails on a missed target
#   make bench-tap                     the reading of taps over seeded players, beside other ways; fails on a missed target
#   make install [PREFIX=/usr/local] [DESTDIR=]
#   make uninstall, make build, make format, make clean

PREFIX = /usr/local
DESTDIR =
ARGS =

RELEASE = swift build -c release --static-swift-stdlib --product midimetro
PROGRAM = .build/release/midimetro
BIN = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share

.PHONY: build run test bench bench-follow bench-tap install uninstall clean format

build:
	@Scripts/need build
	$(RELEASE)

run:
	@Scripts/run $(ARGS)

test:
	@Scripts/test

bench: build
	@Scripts/bench build/benchmarks.md

bench-follow:
	@Scripts/need build
	swift run -c release clock-bench

bench-tap:
	@Scripts/need build
	swift run -c release tap-bench

# Builds only when there is nothing built: 'make && sudo make install' must not build as root, where there may be no swift.
install:
	@test -x $(PROGRAM) || $(MAKE) --no-print-directory build
	install -d "$(BIN)" "$(SHARE)/doc/midimetro" "$(SHARE)/midimetro/soundfonts"
	install -m 755 $(PROGRAM) "$(BIN)/midimetro"
	strip "$(BIN)/midimetro"
	install -m 644 LICENSE $(wildcard README.md CHANGELOG.md) "$(SHARE)/doc/midimetro/"
	$(if $(wildcard soundfonts/*.sf2),install -m 644 $(wildcard soundfonts/*.sf2) "$(SHARE)/midimetro/soundfonts/")
	$(if $(wildcard soundfonts/README*),install -m 644 $(wildcard soundfonts/README*) "$(SHARE)/midimetro/soundfonts/")
	$(if $(wildcard docs/midimetro.1),install -D -m 644 docs/midimetro.1 "$(SHARE)/man/man1/midimetro.1")
	$(if $(wildcard completions/midimetro.bash),install -D -m 644 completions/midimetro.bash "$(SHARE)/bash-completion/completions/midimetro")
	$(if $(wildcard completions/_midimetro),install -D -m 644 completions/_midimetro "$(SHARE)/zsh/site-functions/_midimetro")
	$(if $(wildcard completions/midimetro.fish),install -D -m 644 completions/midimetro.fish "$(SHARE)/fish/vendor_completions.d/midimetro.fish")

uninstall:
	rm -f "$(BIN)/midimetro" "$(SHARE)/man/man1/midimetro.1" \
	  "$(SHARE)/bash-completion/completions/midimetro" "$(SHARE)/zsh/site-functions/_midimetro" \
	  "$(SHARE)/fish/vendor_completions.d/midimetro.fish"
	rm -rf "$(SHARE)/doc/midimetro" "$(SHARE)/midimetro"

format:
	swift format -i -r -p Sources Tests Package.swift

clean:
	rm -rf .build build
