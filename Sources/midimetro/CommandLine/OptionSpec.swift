internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// One line of the table that parsing, help, man page and completion are made from.
struct OptionSpec: Sendable {
  enum Group: String, CaseIterable, Sendable {
    case source = "Source"
    case music = "Music"
    case taps = "Tapping"
    case destinations = "Destinations"
    case notes = "Click notes"
    case run = "Starting and stopping"
    case sound = "Sound"
    case output = "Output and the rest"
  }

  /// What a shell can offer as a value.
  enum Offer: Hashable, Sendable {
    case nothing, files, ports, sources, profiles
    case words([String])
    /// Words that are joined by commas.
    case list([String])
  }

  let name: OptionName
  let short: Character?
  /// The commands that know the letter.
  let shortVerbs: Set<Verb>
  /// What stands for the value in help; `nil` for an option without one.
  let argument: String?
  let help: String
  let group: Group
  let verbs: Set<Verb>
  let offer: Offer
  /// True for what only the making of documents uses.
  let isHidden: Bool

  private init(
    _ name: OptionName, _ short: Character? = nil, _ argument: String? = nil, group: Group,
    verbs: Set<Verb> = [.play], shortVerbs: Set<Verb>? = nil, offer: Offer = .nothing,
    isHidden: Bool = false, _ help: String
  ) {
    self.name = name
    self.short = short
    self.shortVerbs = shortVerbs ?? verbs
    self.argument = argument
    self.group = group
    self.verbs = verbs
    self.help = help
    self.offer = offer
    self.isHidden = isHidden
  }

  /// The table.
  static let all: [OptionSpec] = [
    OptionSpec(
      .from, "p", "ADDR", group: .source, verbs: [.follow, .tap, .monitor], offer: .sources,
      "source, named as for --to (default: follow and tap take the first port that clocks or taps,"
        + " monitor measures all; tap and monitor take several); in a log the name after @"),
    OptionSpec(
      .lostAfter, nil, "SECONDS", group: .source, verbs: [.follow],
      "the silence after which the clock is lost (default: 4 pulses, at least 0.5)"),
    OptionSpec(
      .repair, nil, nil, group: .source, verbs: [.follow],
      "correct the count where pulses were lost or doubled on the way"),
    OptionSpec(
      .replay, nil, "FILE", group: .source, verbs: [.follow, .tap, .monitor], offer: .files,
      "read a log instead of the sequencer, as fast as it reads; - is the standard input"),
    OptionSpec(
      .log, nil, "FILE", group: .source, verbs: [.tap, .monitor], offer: .files,
      "write what comes in to FILE, as a log that --replay reads"),
    OptionSpec(
      .bpm, "b", "TEMPO", group: .music, verbs: [.play, .bench, .render],
      "120, 120.5, q=120, 1/8=100 (eighths), 3/8=80 (dotted quarters);"
        + " without a unit quarter notes per minute, 10 to 400 (default 120)"),
    OptionSpec(
      .meter, "m", "METER", group: .music, verbs: [.play, .follow, .render],
      "4/4, 7/8=2+2+3, 2+2+3/8: 1 to 32 beats over 1, 2, 4, 8, 16 or 32 (default 4/4)"),
    OptionSpec(
      .accents, "a", "PATTERN", group: .music, verbs: [.play, .follow, .render],
      "one letter per beat or per click: X strong, m medium, x weak, . silent"
        + " (default: from the meter)"),
    OptionSpec(
      .subdivide, nil, "N", group: .music, verbs: [.play, .follow, .render],
      "N clicks per beat, 1 to 24, the extra ones weak (default 1)"),
    OptionSpec(
      .swing, nil, "PERCENT", group: .music, verbs: [.play, .follow, .render],
      "where the second of two subdivisions falls, 50 (straight, the default) to 75;"
        + " never moves the clock"),
    OptionSpec(
      .score, nil, "FILE", group: .music, verbs: [.play, .follow, .render], offer: .files,
      "meters and tempos bar by bar: a score file (see midimetro help check) or a MIDI file; what is left"
        + " out at its beginning is --meter's and --bpm's"),
    OptionSpec(
      .learn, nil, nil, group: .taps, verbs: [.tap],
      "wait for one hit and print the options that name its pad or pedal"),
    OptionSpec(
      .tapFrom, nil, "ADDR", group: .taps, offer: .sources,
      "source whose taps set the tempo: a pad, keyboard or pedal; repeat for more"),
    OptionSpec(
      .tapNote, nil, "N", group: .taps, verbs: [.play, .tap],
      "the key that taps, 0 to 127; repeat for more (default: every key, and the pedals 64, 66 and"
        + " 67)"),
    OptionSpec(
      .tapCC, nil, "N", group: .taps, verbs: [.play, .tap],
      "the controller that taps, 0 to 127, when it rises to 64 or above; repeat for more"),
    OptionSpec(
      .tapChannel, nil, "N", group: .taps, verbs: [.play, .tap],
      "the channel that taps, 1 to 16; repeat for more (default: every channel)"),
    OptionSpec(
      .tapVelocity, nil, "N", group: .taps, verbs: [.play, .tap],
      "the softest hit that taps, 1 to 127 (default 1)"),
    OptionSpec(
      .tapUnit, nil, "NOTE", group: .taps, verbs: [.play, .tap],
      offer: .words(["1/4", "1/8", "3/8"]),
      "the note value that is tapped: 1/4, 1/8, 3/8 (default 1/4)"),
    OptionSpec(
      .tapRound, nil, "BPM", group: .taps, verbs: [.play, .tap],
      "round the tempo to a multiple of this: 1, 0.5 (default: not)"),
    OptionSpec(
      .tapMin, nil, "N", group: .taps,
      "so many taps before the tempo changes, 2 to 32 (default 4)"),
    OptionSpec(
      .tapPhase, nil, nil, group: .taps,
      "taps set the beat too: the nearest one is moved onto them"),
    OptionSpec(
      .startOnTap, nil, "N", group: .taps,
      "wait; N taps count in, 2 to 32, and the song starts on the next beat"),
    OptionSpec(
      .control, nil, "PAD=ACTION", group: .taps,
      "a pad or pedal that does something else: note:37=toggle, note:37@10=stop (channel 10),"
        + " cc:64=restart; also continue and tap; repeat for more"),
    OptionSpec(
      .controlFrom, nil, "ADDR", group: .taps, offer: .sources,
      "source of --control that does not tap (default: those of --tap-from)"),
    OptionSpec(
      .to, "p", "ADDR", group: .destinations, verbs: [.play, .follow], shortVerbs: [.play],
      offer: .ports,
      "destination: 128:0, 128, a client's name, client:port; repeat for more"
        + " (default: $ALSA_OUTPUT_PORTS)"),
    OptionSpec(
      .send, nil, "LIST", group: .destinations, verbs: [.play, .follow],
      offer: .list(Route.Contents.named.map(\.name)),
      "any of clock,transport,position,click, or all (default all)"),
    OptionSpec(
      .offset, nil, "MS", group: .destinations, verbs: [.play, .follow],
      "send earlier (below 0) or later, -500 to 500 milliseconds (default 0)"),
    OptionSpec(
      .divide, nil, "N", group: .destinations, verbs: [.play, .follow],
      "one clock pulse for every N, 1 to 24 (default 1)"),
    OptionSpec(
      .multiply, nil, "N", group: .destinations, verbs: [.play, .follow],
      "N clock pulses for every one, 1 to 24 (default 1)"),
    OptionSpec(
      .mute, nil, nil, group: .destinations, verbs: [.play, .follow],
      "leave the clicks out, everything else goes on; on the screen of play u brings them in"),
    OptionSpec(
      .channel, nil, "N", group: .notes, verbs: [.play, .follow, .render],
      "MIDI channel, 1 to 16 (default 10)"),
    OptionSpec(
      .notes, nil, "S,M,W", group: .notes, verbs: [.play, .follow, .render],
      "keys of strong, medium and weak clicks (default 34,33,33)"),
    OptionSpec(
      .velocities, nil, "S,M,W", group: .notes, verbs: [.play, .follow, .render],
      "their velocities (default 127,100,80)"),
    OptionSpec(
      .gate, nil, "MS", group: .notes, verbs: [.play, .follow, .render],
      "how long a click's note lasts, 1 to 5000 (default 40); ends before the next of its key"),
    OptionSpec(
      .clock, nil, "WHEN", group: .run, verbs: [.play, .follow],
      offer: .words(ClockPolicy.allCases.map { "\($0)" }),
      "always (pulses while stopped too), rolling, or off (default always)"),
    OptionSpec(
      .bars, nil, "N", group: .run, verbs: [.play, .render],
      "stop after N bars, the count-in not counted"),
    OptionSpec(
      .duration, nil, "SECONDS", group: .run,
      verbs: [.play, .bench, .follow, .tap, .monitor, .render],
      "stop after so many seconds"),
    OptionSpec(
      .countIn, nil, "BARS", group: .run, verbs: [.play, .render],
      "bars of clicks before Start goes out (default 0)"),
    OptionSpec(
      .startBar, nil, "N", group: .run, verbs: [.play, .render],
      "begin at bar N: Song Position, then Continue (default 1)"),
    OptionSpec(
      .dispatch, nil, "WAY", group: .run, verbs: [.play, .bench],
      offer: .words(DispatchMode.allCases.map(\.rawValue)),
      "precise (own real-time thread), queued (kernel queue), or auto (default)"),
    OptionSpec(
      .sound, nil, "WHICH", group: .sound, verbs: [.tap, .play, .follow, .render],
      offer: .words(["auto", "off"] + ClickSet.allCases.map(\.rawValue) + ["font"]),
      "auto (when there is no --to), off, a built-in set (wood, beep, rim), or font (default"
        + " auto, which is wood)"),
    OptionSpec(
      .soundfont, nil, "FILE", group: .sound, verbs: [.tap, .play, .follow, .render, .doctor],
      offer: .files, "a sound font for the clicks instead of a built-in set"),
    OptionSpec(
      .audioDriver, nil, "NAME", group: .sound, verbs: [.tap, .play, .follow],
      offer: .words(AudioDriver.order),
      "FluidSynth's driver, with its device if wanted: pipewire, pulseaudio, jack, alsa, alsa:hw:1"
        + " (default: the first that works)"),
    OptionSpec(
      .audioPeriod, nil, "FRAMES", group: .sound, verbs: [.tap, .play, .follow],
      "frames that the driver takes at once, 16 to 8192 (default 256); clicks are as even with any"),
    OptionSpec(
      .audioOffset, nil, "MS", group: .sound, verbs: [.tap, .play, .follow],
      "clicks are heard earlier (below 0) or later, -500 to 500 milliseconds (default 0)"),
    OptionSpec(
      .volume, nil, "PERCENT", group: .sound, verbs: [.tap, .play, .follow, .render],
      "0 to 200 (default 100)"),
    OptionSpec(
      .output, "o", "FILE", group: .output, verbs: [.render], offer: .files,
      "FILE.wav, .flac, .ogg or .mid; - is the standard output, as WAV"),
    OptionSpec(
      .sampleRate, nil, "HZ", group: .output, verbs: [.render],
      "frames per second of a sound file, 8000 to 192000 (default 48000)"),
    OptionSpec(
      .json, nil, nil, group: .output,
      verbs: [.play, .follow, .tap, .monitor, .bench, .ports, .doctor],
      "JSON, one object a line"),
    OptionSpec(
      .plain, nil, nil, group: .output, verbs: [.play, .follow, .tap, .monitor],
      "plain lines, one a beat (the default)"),
    OptionSpec(
      .quiet, "q", nil, group: .output, verbs: [.play, .follow, .tap, .monitor, .render],
      "warnings and errors only"),
    OptionSpec(
      .noUI, nil, nil, group: .output, verbs: [.play, .follow, .tap, .monitor],
      "no full screen; plain lines"),
    OptionSpec(
      .dryRun, nil, nil, group: .output,
      "print what would be sent, open nothing; needs --bars, --duration or a --score that ends"),
    OptionSpec(
      .profile, nil, "NAME", group: .output, verbs: [.play, .follow, .tap, .monitor, .render],
      offer: .profiles,
      "also take the options of [NAME] in the config file; last: what was set when the screen of play"
        + " was last left, unless the file has a [last] of its own"),
    OptionSpec(.list, "l", nil, group: .output, "the same as midimetro ports"),
    OptionSpec(
      .help, "h", nil, group: .output, verbs: Set(Verb.allCases), "show help"),
    OptionSpec(
      .version, "V", nil, group: .output, verbs: Set(Verb.allCases), "show the version"),
    OptionSpec(
      .man, nil, nil, group: .output, verbs: [.help], isHidden: true, "print the manual page"),
    OptionSpec(
      .completion, nil, "SHELL", group: .output, verbs: [.help],
      offer: .words(Shell.allCases.map(\.rawValue)), isHidden: true,
      "print the completion for a shell"),
  ]

  /// The line of `name`; every name has one, which a test holds.
  static func spec(_ name: OptionName) -> OptionSpec? { all.first { $0.name == name } }

  /// Whether the config file may hold it: what must be asked anew each time, may not.
  var isForConfig: Bool {
    let asked: Set<OptionName> = [
      .help, .version, .list, .profile, .dryRun, .replay, .log, .learn, .output,
    ]
    return verbs.contains(where: \.readsConfig) && !asked.contains(name)
  }

  /// The letter as `verb` knows it.
  func short(for verb: Verb) -> Character? { shortVerbs.contains(verb) ? short : nil }

  /// The option as messages name it.
  var spelled: String { "--\(name.rawValue)" }
}
