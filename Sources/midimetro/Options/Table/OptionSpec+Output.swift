internal import MIDIClock
internal import MetronomeCore

extension OptionSpec {
  /// What is written, and everything else.
  static let output: [OptionSpec] = [
    OptionSpec(
      "output", letter: "o", takes: "FILE", verbs: [.render], offer: .files, isForConfig: false,
      help: "FILE.wav, .flac, .ogg or .mid; - is the standard output, as WAV",
      .name("file") { $0.outputPath = $1 }),
    OptionSpec(
      "force", letter: "f", verbs: [.render], isForConfig: false,
      help: "replace an existing file without asking; only on a terminal is there a question",
      .flag { $0.isForced = true }),
    OptionSpec(
      "sample-rate", takes: "HZ", verbs: [.render],
      help: "frames per second of a sound file, RANGE (default 48000)",
      .whole(SoundFile.rates) { $0.sampleRate = Int($1) }),
    OptionSpec(
      .json, verbs: [.play, .follow, .tap, .monitor, .bench, .ports, .doctor],
      help: "JSON, one object a line",
      .flag { $0.print(.json) }),
    OptionSpec(
      .plain, verbs: [.play, .follow, .tap, .monitor],
      help: "plain lines, one a beat (the default)",
      .flag { $0.print(.plain) }),
    OptionSpec(
      .quiet, letter: "q", verbs: [.play, .follow, .tap, .monitor, .render],
      help: "warnings and errors only",
      .flag { $0.print(.quiet) }),
    OptionSpec(
      .noUI, verbs: [.play, .follow, .tap, .monitor],
      help: "no full screen; plain lines",
      .flag { $0.wantsLines = true }),
    OptionSpec(
      .dryRun, isForConfig: false,
      help:
        "print what would be sent, open nothing; needs --bars, --duration or a --score that ends",
      .flag { $0.isDryRun = true }),
    OptionSpec(
      .profile, takes: "NAME", verbs: [.play, .follow, .tap, .monitor, .render], offer: .profiles,
      isForConfig: false,
      help:
        "also take the options of [NAME] in the config file; last: what was set when the screen of play"
        + " was last left, unless the file has a [last] of its own"),
    OptionSpec(
      .list, letter: "l", isForConfig: false, help: "the same as midimetro ports"),
    OptionSpec(
      .help, letter: "h", verbs: Set(Verb.allCases), isForConfig: false, help: "show help"),
    OptionSpec(
      .version, letter: "V", verbs: Set(Verb.allCases), isForConfig: false, help: "show the version"
    ),
    OptionSpec(
      .man, verbs: [.help], isHidden: true, help: "print the manual page"),
    OptionSpec(
      "completion", takes: "SHELL", verbs: [.help], offer: .words(Shell.allCases.map(\.rawValue)),
      isHidden: true, help: "print the completion for a shell"),
  ]
}
