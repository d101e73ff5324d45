import Glibc
import TestSupport
import Testing

/// The program itself, run by a shell.
private enum Program {
  struct Ending: Hashable {
    var status: Int32
    var output: String
    var complaints: String
  }

  struct NotRun: Error {
    let reason: String
  }

  /// The program is next to the test bundle.
  static let path: String? = {
    guard let raw = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(raw) }
    let own = unsafe String(cString: raw)
    guard let slash = own.lastIndex(of: "/") else { return nil }
    return own[..<slash] + "/midimetro"
  }()

  /// Runs `script` in a shell with the program as `$midimetro`, and nothing else of our environment
  /// but the path.
  static func run(_ script: String, environment: [String] = []) throws -> Ending {
    let path = try #require(path)
    try #require(unsafe access(path, X_OK) == 0, "no program \(path)")
    var pipes: [[Int32]] = [[0, 0], [0, 0]]
    for index in pipes.indices {
      guard unsafe pipe(&pipes[index]) == 0 else { throw NotRun(reason: "pipe") }
      // Not to be inherited by processes that other tests start.
      for descriptor in pipes[index] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, pipes[0][1], 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, pipes[1][1], 2)
    // Signals that another test has blocked in this thread must not stay blocked.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = ["sh", "-c", script]
    // Not a folder, and none can be created in it, as sound libraries would.
    let variables = ["PATH=/usr/bin:/bin", "HOME=/dev/null", "midimetro=\(path)"] + environment
    var process: pid_t = 0
    var argv: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = unsafe variables.map { unsafe strdup($0) } + [nil]
    let result = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &argv, &envp)
    unsafe (argv + envp).forEach { unsafe free($0) }
    for pair in pipes { close(pair[1]) }
    defer { for pair in pipes { close(pair[0]) } }
    guard result == 0 else { throw NotRun(reason: "posix_spawn: \(result)") }
    // Both streams are short enough that a pipe can hold one while the other is read.
    let output = read(pipes[0][0])
    let complaints = read(pipes[1][0])
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    // The exit status is in the second byte; source: wait(2).
    return Ending(status: (status >> 8) & 0xFF, output: output, complaints: complaints)
  }

  private static func read(_ descriptor: Int32) -> String {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: content, as: UTF8.self) }
      content += chunk[..<count]
    }
  }
}

struct ProgramTests {
  @Test(arguments: [
    ("$midimetro --version", 0), ("$midimetro --help", 0), ("$midimetro help play", 0),
    ("$midimetro 120 --bars 1 --dry-run", 0), ("$midimetro help --man", 0),
    ("$midimetro nonsense", 64), ("$midimetro 0", 64), ("$midimetro --bogus", 64),
    ("$midimetro tap 120", 64), ("$midimetro follow 120", 64), ("$midimetro --profile x", 64),
    ("XDG_CONFIG_HOME=/dev/fd/9 $midimetro 120 --bars 1 --dry-run", 0),
    ("$midimetro --help >/dev/full", 74), ("$midimetro --bars 1 --dry-run >/dev/full", 74),
    ("$midimetro help --completion zsh >/dev/full", 74),
    ("$midimetro doctor >/dev/full", 74),
    ("echo '0 FA' | $midimetro follow --replay - >&-", 74),
    ("echo '0 FA' | $midimetro monitor --replay - >&-", 74),
    ("$midimetro follow --replay - <&-", 74),
    ("head -c 2000000 /dev/zero | $midimetro follow --replay -", 65),
    // The status of a pipe is that of its last command; what matters is that nothing is printed.
    ("$midimetro --duration 1000000 --dry-run | head -n 1", 0),
    ("trap '' PIPE; $midimetro --duration 1000000 --dry-run | head -n 1", 0),
  ])
  func `the exit status is that of the manual, and only refusals print errors`(
    script: String, status: Int32
  ) throws {
    let ending = try Program.run(script)
    #expect(ending.status == status)
    #expect(ending.complaints.isEmpty == (status == 0))
    #expect(ending.complaints.isEmpty || ending.complaints.hasPrefix("midimetro: "))
    #expect(ending.complaints.filter { $0 == "\n" }.count == (status == 0 ? 0 : 1))
  }

  @Test(.enabled(if: !sequencerIsPresent, "needs a machine without a sequencer"))
  func `without a sequencer one line says what to do, and the rest still works`() throws {
    for command in ["120", "120 --sound off", "ports", "-l", "--json", "--to 14:0"] {
      let ending = try Program.run("$midimetro \(command)")
      #expect(ending.status == 69)
      #expect(ending.output == "")
      #expect(
        ending.complaints
          == "midimetro: /dev/snd/seq: snd_seq_open: No such file or directory; load the kernel"
          + " module: sudo modprobe snd-seq\n")
    }
    let doctor = try Program.run("$midimetro doctor")
    #expect(doctor.status == 69)
    #expect(doctor.complaints == "")
    #expect(doctor.output.hasPrefix("fail  sequencer device    /dev/snd/seq: "))
  }

  @Test(arguments: ["follow", "monitor"])
  func `a source that a log does not have is refused, with a list of those it has`(command: String)
    throws
  {
    let ending = try Program.run(
      "printf '0 @a F8\n1 @b F8\n' | $midimetro \(command) --from @c --replay -")
    #expect(ending.status == 0)
    #expect(
      ending.complaints.hasSuffix("midimetro: nothing in the log is from @c; it has @a, @b\n"))
  }

  @Test func `words that are not UTF-8 are refused like any other`() throws {
    let ending = try Program.run("$midimetro \"$(printf '12\\3770')\"")
    #expect(ending.status == 64)
    #expect(ending.complaints.hasPrefix("midimetro: tempo: '12\u{FFFD}0' is not a tempo"))
  }

  @Test func `the locale changes nothing`() throws {
    let scripts = [
      "$midimetro 152.4 --bars 1 --dry-run", "$midimetro 152,4", "$midimetro help play",
    ]
    for script in scripts {
      let plain = try Program.run(script)
      let german = try Program.run(
        script, environment: ["LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", "LANGUAGE=de"])
      #expect(german == plain)
    }
    #expect(
      try Program.run("$midimetro 152.4 --bars 1 --dry-run", environment: ["LC_ALL=de_DE.UTF-8"])
        .output.hasPrefix("-0.001000000 FA\n0.000000000 F8\n"))
  }

  @Test func `a file with several errors gets a line for each`() throws {
    let ending = try Program.run(
      """
      home=$(mktemp -d) && mkdir "$home/midimetro" &&
        printf '\\357\\273\\277bpm = 120\\r\\nbogus\\r\\nbars = 0' >"$home/midimetro/config"
      XDG_CONFIG_HOME=$home $midimetro --dry-run
      status=$?
      rm -r "$home"
      exit $status
      """)
    #expect(ending.status == 64)
    let lines = ending.complaints.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("midimetro: /") })
    #expect(lines.first?.contains("/midimetro/config:2: unknown option 'bogus'") == true)
    #expect(lines.last?.contains("/midimetro/config:3: bars: '0' is not") == true)
  }

  @Test func `a config file that is a folder is an input error`() throws {
    let ending = try Program.run(
      """
      home=$(mktemp -d) && mkdir -p "$home/midimetro/config"
      XDG_CONFIG_HOME=$home $midimetro --dry-run --bars 1
      status=$?
      rm -r "$home"
      exit $status
      """)
    #expect(ending.status == 74)
    #expect(
      ending.complaints.hasSuffix(
        "/midimetro/config cannot be read: read: Is a directory; fix it or move it away\n"))
  }
}
