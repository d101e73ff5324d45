internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// What `render` was asked, all of it valid.
struct RenderOptions: Sendable {
  /// What a file is written as.
  enum Format: Hashable, Sendable {
    case wave
    case compressed(SoundFile.Format)
    case midi
  }

  var score: Score
  var startBar: Int64 = 1
  var countInBars: Int64 = 0
  var duration: HostTime.Span?
  var notes = ClickVoice.standard
  var sound = SoundOptions()
  /// The file; `-` for the standard output.
  var output: String
  var format: Format
  /// Frames per second.
  var sampleRate: Int
  var isQuiet = false
  /// `MIDIMETRO_SOUNDFONT`.
  var usualSoundfont: String?

  private static let formats: [(ending: String, format: Format)] = [
    ("wav", .wave), ("flac", .compressed(.flac)), ("ogg", .compressed(.ogg)),
    ("oga", .compressed(.ogg)), ("mid", .midi), ("midi", .midi),
  ]

  /// Checks and combines what was given.
  ///
  /// - Throws: `UsageError` for the first thing that is wrong.
  init(
    _ arguments: Arguments, config: [GivenOption] = [], _ environment: Environment
  ) throws(UsageError) {
    // The same music by the same rules as when it is played.
    let play = try PlayOptions(arguments, config: config, contents: environment.contents)
    var draft = PlayOptions.OptionValues()
    for option in config + arguments.options { try draft.take(option) }
    guard let output = draft.output else {
      throw UsageError("where to? give -o FILE.wav, .flac, .ogg or .mid")
    }
    self.output = output
    format = try Self.format(of: output)
    score = play.settings.score
    startBar = play.settings.startBar
    countInBars = play.settings.countInBars
    duration = play.settings.duration
    guard score.end != nil || duration != nil else {
      throw UsageError("the file would never end: give --bars or --duration too")
    }
    notes = draft.voice
    sound = play.sound
    guard sound.isWanted || format == .midi else {
      throw UsageError("--sound off leaves nothing to render; leave it out, or render a .mid")
    }
    sampleRate = Int(draft.sampleRate)
    isQuiet = draft.form == .quiet
    usualSoundfont = environment.soundfont
  }

  private static func format(of path: String) throws(UsageError) -> Format {
    if path == "-" { return .wave }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).last
    if let ending, name.contains("."),
      let found = formats.first(where: { $0.ending == ending.lowercased() })
    {
      return found.format
    }
    // Devices and pipes have no endings.
    if path.hasPrefix("/dev/") { return .wave }
    throw UsageError(
      "-o: '\(path)' does not say what to write: let it end in .wav, .flac, .ogg or .mid")
  }

  /// Everything that sounds.
  var clicks: ClickList {
    ClickList(
      Planner(
        score: score, routes: [Route(contents: .click, voice: notes), .observer],
        startBar: startBar, countInBars: countInBars,
        limit: duration.map { .time(.zero + $0) } ?? .none),
      route: 0, observer: 1, notAfter: duration.map { .zero + $0 })
  }
}
