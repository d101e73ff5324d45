internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// What `render` was asked, all of it valid.
struct RenderOptions: CommandOptions {
  /// What a file is written as.
  enum Format: Hashable, Sendable {
    case wave
    case compressed(SoundFile.Format)
    case midi
  }

  let values: OptionValues
  /// The file; `-` for the standard output.
  let output: String
  let format: Format
  /// `MIDIMETRO_SOUNDFONT`.
  let usualSoundfont: String?

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
    values = try PlayOptions(arguments, config: config, contents: environment.scores).values
    guard let output = values.outputPath else {
      throw UsageError("where to? give -o FILE.wav, .flac, .ogg or .mid")
    }
    self.output = output
    format = try Self.format(of: output)
    guard values.playing.score.end != nil || values.duration != nil else {
      throw UsageError("the file would never end: give --bars or --duration too")
    }
    guard values.sound.isWanted || format == .midi else {
      throw UsageError("--sound off leaves nothing to render; leave it out, or render a .mid")
    }
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
    let playing = values.playing
    return ClickList(
      Planner(
        score: playing.score, routes: [Route(contents: .click, voice: values.voice), .observer],
        startBar: playing.startBar, countInBars: playing.countInBars,
        limit: playing.duration.map { .time(.zero + $0) } ?? .none),
      route: 0, observer: 1, notAfter: playing.duration.map { .zero + $0 })
  }
}
