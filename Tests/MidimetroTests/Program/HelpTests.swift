import Glibc
import MetronomeCore
import MIDIClock
import Testing

@testable import click_font
@testable import midimetro

struct HelpTests {
  @Test func `no two options share a name or a letter`() {
    #expect(Set(OptionSpec.all.map(\.name)).count == OptionSpec.all.count)
    for verb in Verb.allCases {
      let letters = OptionSpec.all.compactMap { $0.short(for: verb) }
      #expect(Set(letters).count == letters.count, "\(verb)")
    }
  }

  @Test func `every command has one descriptor`() {
    #expect(CommandDescriptor.all.map(\.verb) == Verb.allCases)
  }

  @Test(arguments: [nil] + Verb.allCases)
  func `no line is wider than 79 columns or ends in a blank`(verb: Verb?) {
    for line in Help.text(verb).split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(line.count <= 79, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
    #expect(Help.text(verb).hasSuffix("\n"))
    #expect(!Help.text(verb).contains("\n\n\n"))
  }

  @Test(arguments: Verb.allCases)
  func `a command's help shows exactly its options`(verb: Verb) {
    let text = Help.text(verb)
    guard verb != .help else { return }
    for spec in OptionSpec.all {
      let begins = text.contains("    \(spec.spelled) ") || text.contains(", \(spec.spelled) ")
      #expect(begins == (spec.verbs.contains(verb) && !spec.isHidden), "\(spec.spelled)")
    }
    #expect(text.contains("\nUsage: \(CommandDescriptor.of(verb).usage)\n"))
  }

  @Test(arguments: Verb.allCases)
  func `every example can be typed as it stands`(verb: Verb) {
    let examples = CommandDescriptor.of(verb).examples
    #expect(!examples.isEmpty)
    for example in examples {
      let words = example.command.split(separator: " ").map(String.init)
      #expect(words.first == "midimetro")
      let profiles = home(config: "[live]\nbpm = 120\n[last]\nbpm = 97")
      var place = profiles
      place.contents = { path throws(SystemError) in
        path == "song.txt" ? Array("8 120".utf8) : try profiles.contents(path)
      }
      let failure = refusal(Array(words.dropFirst()), place)
      #expect(failure == nil, "\(example.command): \(failure?.message ?? "")")
    }
  }

  @Test func `the overview`() {
    #expect(
      Help.text(nil) == """
        midimetro 0.1.0: a metronome and MIDI clock for Linux.

        Usage: midimetro [play] [options] [TEMPO]
               midimetro COMMAND [options]

        Commands:
          play      click and send MIDI clock (the default command)
          follow    follow an incoming clock: bar, beat and tempo, clicks, a steadier
                    clock
          tap       tell the tempo of what is tapped on a pad, key or pedal
          monitor   measure how even incoming clocks are
          render    write the clicks to a sound file or a MIDI file
          check     say whether a score file is right, and what is in it
          ports     list the sequencer's ports
          doctor    say what this machine can do, and how to mend what it cannot
          bench     send to itself through the sequencer and print the measured jitter
          help      explain a command

        midimetro help COMMAND explains a command and its options.

        Examples:
          midimetro 120 --to TR-8S
              click and clock a machine
          midimetro ports
              what --to can name
          midimetro doctor
              is this machine ready?
          midimetro help play
              all that play can be asked

        """)
    #expect(Help.text(.help) == Help.text(nil))
  }

  @Test func `the help of play`() {
    #expect(
      Help.text(.play) == """
        Click and send MIDI clock (the default command).

        Usage: midimetro [play] [options] [TEMPO]

        Music:
          -b, --bpm TEMPO           120, 120.5, q=120, 1/8=100 (eighths), 3/8=80
                                    (dotted quarters); without a unit quarter notes per
                                    minute, 10 to 400 (default 120)
          -m, --meter METER         4/4, 7/8=2+2+3, 2+2+3/8: 1 to 32 beats over 1, 2,
                                    4, 8, 16 or 32 (default 4/4)
          -a, --accents PATTERN     one letter per beat or per click: X strong, m
                                    medium, x weak, . silent (default: from the meter)
              --subdivide N         N clicks per beat, 1 to 24, the extra ones weak
                                    (default 1)
              --swing PERCENT       where the second of two subdivisions falls, 50
                                    (straight, the default) to 75; never moves the
                                    clock
              --score FILE          meters and tempos bar by bar: a score file (see
                                    midimetro help check) or a MIDI file, - for the
                                    standard input; what is left out at its beginning
                                    is --meter's and --bpm's

        Tapping:
              --tap-from ADDR       source whose taps set the tempo: a pad, keyboard or
                                    pedal; repeat for more
              --tap-note N          the key that taps, 0 to 127; repeat for more
                                    (default: every key, and the pedals 64, 66 and 67)
              --tap-cc N            the controller that taps, 0 to 127, when it rises
                                    to 64 or above; repeat for more
              --tap-channel N       the channel that taps, 1 to 16; repeat for more
                                    (default: every channel)
              --tap-velocity N      the softest hit that taps, 1 to 127 (default 1)
              --tap-unit NOTE       the note value that is tapped: 1/4, 1/8, 3/8
                                    (default 1/4)
              --tap-round BPM       round the tempo to a multiple of this: 1, 0.5
                                    (default: not)
              --tap-min N           so many taps before the tempo changes, 2 to 32
                                    (default 4)
              --tap-phase           taps set the beat too: the nearest one is moved
                                    onto them
              --start-on-tap N      wait; N taps count in, 2 to 32, and the song starts
                                    on the next beat
              --control PAD=ACTION  a pad or pedal that does something else:
                                    note:37=toggle, note:37@10=stop (channel 10),
                                    cc:64=restart; also continue and tap; repeat for
                                    more
              --control-from ADDR   source of --control that does not tap (default:
                                    those of --tap-from)

        Destinations:
          -p, --to ADDR             destination: 128:0, 128, a client's name,
                                    client:port; repeat for more (default:
                                    $ALSA_OUTPUT_PORTS)
              --send LIST           any of clock,transport,position,click, or all
                                    (default all)
              --offset MS           send earlier (below 0) or later, -500 to 500
                                    milliseconds (default 0)
              --divide N            one clock pulse for every N, 1 to 24 (default 1)
              --multiply N          N clock pulses for every one, 1 to 24 (default 1)
              --mute                leave the clicks out, everything else goes on; on
                                    the screen of play u brings them in

        Click notes:
              --channel N           MIDI channel, 1 to 16 (default 10)
              --notes S,M,W         keys of strong, medium and weak clicks (default
                                    34,33,33)
              --velocities S,M,W    their velocities (default 127,100,80)
              --gate MS             how long a click's note lasts, 1 to 5000 (default
                                    40); ends before the next of its key

        Starting and stopping:
              --clock WHEN          always (pulses while stopped too), rolling, or off
                                    (default always)
              --bars N              stop after N bars, the count-in not counted
              --duration SECONDS    stop after so many seconds
              --count-in BARS       bars of clicks before Start goes out (default 0)
              --start-bar N         begin at bar N: Song Position, then Continue
                                    (default 1)
              --dispatch WAY        precise (own real-time thread), queued (kernel
                                    queue), or auto (default)

        Sound:
              --sound WHICH         auto (when there is no --to), off, a built-in set
                                    (wood, beep, rim), or font (default auto, which is
                                    wood)
              --soundfont FILE      a sound font for the clicks instead of a built-in
                                    set
              --audio-driver NAME   FluidSynth's driver, with its device if wanted:
                                    pipewire, pulseaudio, jack, alsa, alsa:hw:1
                                    (default: the first that works)
              --audio-period FRAMES
                                    frames that the driver takes at once, 16 to 8192
                                    (default 256); clicks are as even with any
              --audio-offset MS     clicks are heard earlier (below 0) or later, -500
                                    to 500 milliseconds (default 0)
              --volume PERCENT      0 to 200 (default 100)

        Output and the rest:
              --json                JSON, one object a line
              --plain               plain lines, one a beat (the default)
          -q, --quiet               warnings and errors only
              --no-ui               no full screen; plain lines
              --dry-run             print what would be sent, open nothing; needs
                                    --bars, --duration or a --score that ends
              --profile NAME        also take the options of [NAME] in the config file;
                                    last: what was set when the screen of play was last
                                    left, unless the file has a [last] of its own
          -l, --list                the same as midimetro ports
          -h, --help                show help
          -V, --version             show the version

        --send, --offset, --divide, --multiply and --mute apply to the --to before
        them, or to every destination when they come before the first --to. Of an
        option given twice the last counts.

        Long options can be kept in ~/.config/midimetro/config (or
        $XDG_CONFIG_HOME/midimetro/config), one "name = value" a line; those in a
        [profile] section hold with --profile. The command line is stronger, and a --to
        on it replaces the file's destinations, as those of a profile replace those of
        the lines that always hold. Each command passes over what is for others.

        When the screen is left, what is set is kept for --profile last, and read for
        nothing else.

        A click is heard when its note is sent: the driver's own latency is made up
        for, as far as the driver tells; --audio-offset does the rest.

        Examples:
          midimetro 120 --to TR-8S --to Volca
              click and clock two machines
          midimetro 3/8=80 -m 6/8 --to 128:0
              80 dotted quarters a minute
          midimetro 133.7 --to TR-8S --offset -10 --to Volca --send clock
              one machine 10 ms early, the other the clock only
          midimetro 120 --start-bar 11 --count-in 1 --to Synth
              from bar 11, counted in
          midimetro --score song.txt --to TR-8S
              tempos and meters from a file
          midimetro 97.5 --bars 2 --dry-run
              see what would be sent
          midimetro 120 --to TR-8S --sound rim
              a machine, and clicks to be heard too
          midimetro 120 --to TR-8S --tap-from LPD8 --tap-note 36
              a pad that sets the tempo
          midimetro --to TR-8S --tap-from LPD8 --start-on-tap 4 --control cc:64=toggle
              four taps count in, a pedal stops and goes on
          midimetro --profile live
              with the options kept under [live]
          midimetro --profile last
              with what was set when the screen was last left

        """)
  }

  @Test func `the help of doctor`() {
    #expect(
      Help.text(.doctor) == """
        Say what this machine can do, and how to mend what it cannot.

        Usage: midimetro doctor [options]

        Sound:
              --soundfont FILE      a sound font for the clicks instead of a built-in
                                    set

        Output and the rest:
              --json                JSON, one object a line
          -h, --help                show help
          -V, --version             show the version

        Exit status: 0 when midimetro can play here, 69 without a sequencer, 77 without
        permission to use it. Warnings do not change it.

        Examples:
          midimetro doctor
              is this machine ready?
          midimetro doctor --soundfont piano.sf2
              and can that sound font be read?

        """)
  }

  @Test(arguments: [
    ("", 0, "", "\n"),
    ("one two", 0, "", "one two\n"),
    ("one two", 8, "  head", "  head  one two\n"),
    // A head that leaves no two blanks has its own line.
    ("one two", 8, "  headed", "  headed\n        one two\n"),
    (
      "word " + String(repeating: "x", count: 90), 2, "",
      "  word\n  \(String(repeating: "x", count: 90))\n"
    ),
  ])
  func `text is broken between words`(text: String, indent: Int, head: String, lines: String) {
    #expect(Wrapping.wrap(text, indent: indent, head: head) == lines)
  }

  @Test func `a line is filled up to its 79th column`() {
    let word = String(repeating: "x", count: 39)
    #expect(Wrapping.wrap("\(word) \(word)") == "\(word) \(word)\n")
    #expect(Wrapping.wrap("\(word) \(word)y") == "\(word)\n\(word)y\n")
  }
}

struct DocumentsTests {
  /// The repository this file was built from.
  private static let top = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

  private static let documents: [(String, String)] =
    [("docs/midimetro.1", Manual.text), ("docs/JSON.md", JSONReference.text)]
    + zip(["midimetro.bash", "_midimetro", "midimetro.fish"], Shell.allCases)
    .map { ("completions/\($0)", Completion.text(for: $1)) }

  @Test func `the committed sound font matches the synthesis; otherwise run Scripts/make-docs`()
    throws
  {
    let bytes = try TextFile.read("\(Self.top)/soundfonts/midimetro.sf2")
    #expect(bytes == SoundFontFile.bytes())
  }

  @Test(arguments: documents)
  func `the committed files match the tables; otherwise run Scripts/make-docs`(
    path: String, text: String
  ) throws {
    let bytes = try #require(try TextFile.read("\(Self.top)/\(path)"))
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test func `the manual has every option, command and example`() {
    let plain = Manual.text.replacing("\\", with: "")
    for spec in OptionSpec.all where !spec.isHidden {
      #expect(plain.contains("fB\(spec.spelled)fR"), "\(spec.spelled)")
    }
    for command in CommandDescriptor.all where command.verb != .help {
      #expect(plain.contains(command.usage))
      for example in command.examples { #expect(plain.contains(example.command)) }
    }
  }

  @Test func `the manual has every exit status`() {
    #expect(Manual.exits.map(\.0) == ExitStatus.allCases.map { "\($0.rawValue)" })
  }

  @Test(arguments: Shell.allCases)
  func `a completion has every option that is not hidden`(shell: Shell) {
    let text = Completion.text(for: shell)
    for spec in OptionSpec.all {
      let spelled = shell == .fish ? " -l \(spec.name.rawValue) " : spec.spelled
      #expect(
        text.contains(spelled) == !spec.isHidden || spec.name == "completion", "\(spec.spelled)")
    }
  }
}
