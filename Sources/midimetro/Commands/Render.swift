internal import ClickSound
internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// `midimetro render`: the clicks as a sound file, or with tempo map and meter as a MIDI file.
///
/// It needs neither a sequencer nor a sound card, and FluidSynth for a sound font only.
enum Render {
  static func run(_ options: RenderOptions) throws(Failure) -> ExitStatus {
    guard options.output != "-" || isatty(STDOUT_FILENO) == 0 else {
      throw Failure("-o -: a terminal cannot play a sound file; give a name, or a pipe", .usage)
    }
    try confirmReplacing(options)
    let clicks = options.clicks
    guard options.format != .midi else {
      let bytes = MIDIFileWriter.bytes(
        score: options.playing.score, startBar: options.playing.startBar,
        countInBars: options.playing.countInBars,
        clicks: clicks, channel: options.voice.channel)
      let file = try open(options)
      try Failure.onWriting(options.output) { () throws(SystemError) in try file.write(bytes) }
      try close(options, file)
      tell(options, clicks, "tempo map, meter and")
      return .done
    }
    let renderer: ClickRenderer
    do throws(SoundError) {
      renderer = try ClickRenderer(
        clicks, try options.sound.resolved(environment: options.usualSoundfont),
        rate: options.sampleRate)
    } catch { throw Failure("\(error)", ExitStatus(error)) }
    try sound(options, renderer)
    tell(options, clicks, "\(Thousandths.text(Int64(options.sampleRate))) kHz,")
    return .done
  }

  /// Asks before an existing file is replaced, if somebody is there to answer.
  private static func confirmReplacing(_ options: RenderOptions) throws(Failure) {
    guard !options.isForced, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1,
      OutputFile.replaces(options.output)
    else { return }
    StandardOutput.write(
      "midimetro: \(Words.printable(options.output, mark: "?")) exists; replace it? [y/N] ",
      to: STDERR_FILENO)
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
      throw Failure("\(options.output) is left as it is; --force replaces it", .inputOutput)
    }
  }

  /// What was written, on the standard output unless that is the file.
  private static func tell(_ options: RenderOptions, _ clicks: ClickList, _ what: String) {
    guard options.form != .quiet, options.output != "-" else { return }
    let length = (clicks.end - clicks.begin).nanoseconds
    StandardOutput.write(
      "\(options.output): \(what) \(clicks.clicks.count) clicks,"
        + " \(Thousandths.text((length + 500_000) / 1_000_000)) s\n")
  }

  private static func open(_ options: RenderOptions) throws(Failure) -> OutputFile {
    try Failure.onWriting(options.output) { () throws(SystemError) in
      try OutputFile.create(options.output)
    }
  }

  private static func close(_ options: RenderOptions, _ file: OutputFile) throws(Failure) {
    try Failure.onWriting(options.output) { () throws(SystemError) in try file.commit() }
  }

  private static func sound(
    _ options: RenderOptions, _ renderer: ClickRenderer
  ) throws(Failure) {
    let head = WAVHeader.bytes(
      frames: renderer.frameCount, rate: options.sampleRate, channels: 2)
    if options.format == .wave, head == nil {
      throw Failure(
        "\(options.output): longer than a WAV file can be, which is"
          + " \(WAVHeader.mostBytes / Int64(4 * options.sampleRate * 3_600)) hours; write a .flac",
        .usage)
    }
    let signals: SignalInbox
    do throws(SystemError) { signals = try .open() } catch {
      throw Failure("\(error)", .internalError)
    }
    var progress = Progress(isShown: options.form != .quiet, of: renderer.frameCount)
    let file = try open(options)
    let stopped: Signal?
    do throws(Failure) {
      stopped = try frames(options, renderer, head ?? [], file, signals, &progress)
    } catch {
      progress.end()
      throw error
    }
    progress.end()
    if let stopped {
      // What is not whole does not get its name.
      file.discard()
      SignalInbox.takeDefaultAction(of: stopped)
      return
    }
    try close(options, file)
  }

  /// Writes every frame; the signal that ended it, if one did.
  private static func frames(
    _ options: RenderOptions, _ renderer: ClickRenderer, _ head: [UInt8],
    _ file: OutputFile, _ signals: borrowing SignalInbox, _ progress: inout Progress
  ) throws(Failure) -> Signal? {
    var compressed: SoundFile?
    if case .compressed(let format) = options.format {
      do throws(SoundFileError) {
        compressed = try SoundFile.open(
          descriptor: file.descriptor, format: format, rate: options.sampleRate)
      } catch { throw Failure("\(options.output): \(error)", ExitStatus(error)) }
    }
    var block = [Float](repeating: 0, count: 2 * ClickRenderer.block)
    let silence = block
    let silentBytes = [UInt8](repeating: 0, count: 4 * ClickRenderer.block)
    if compressed == nil {
      try Failure.onWriting(options.output) { () throws(SystemError) in try file.write(head) }
    }
    while true {
      while let signal = signals.next() {
        switch signal {
        case .interrupt, .terminate, .hangUp: return signal
        case .suspend: SignalInbox.takeDefaultAction(of: .suspend)
        case .resume, .windowChange, .brokenPipe: break
        }
      }
      let made = renderer.render(into: &block)
      let (count, isSound): (Int, Bool)
      switch made {
      case .end:
        do throws(SoundFileError) { try compressed?.close() } catch {
          throw Failure("\(options.output): \(error)", ExitStatus(error))
        }
        return nil
      case .silence(let frames): (count, isSound) = (frames, false)
      case .sound(let frames): (count, isSound) = (frames, true)
      }
      if let compressed {
        let whole = isSound ? block : silence
        do throws(SoundFileError) {
          try compressed.write(count == ClickRenderer.block ? whole : Array(whole[..<(2 * count)]))
        } catch { throw Failure("\(options.output): \(error)", ExitStatus(error)) }
      } else {
        let bytes =
          isSound
          ? samples(block, count)
          : count == ClickRenderer.block ? silentBytes : Array(silentBytes[..<(4 * count)])
        try Failure.onWriting(options.output) { () throws(SystemError) in try file.write(bytes) }
      }
      progress.advance(count)
    }
  }

  /// 16 bits a sample, little-endian, rounded to the nearest.
  private static func samples(_ block: [Float], _ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 4 * count) { buffer, filled in
      for index in 0..<(2 * count) {
        let scaled = block[index] * 32_767
        let value = UInt16(bitPattern: Int16(scaled < 0 ? scaled - 0.5 : scaled + 0.5))
        unsafe buffer[2 * index] = UInt8(truncatingIfNeeded: value)
        unsafe buffer[2 * index + 1] = UInt8(truncatingIfNeeded: value >> 8)
      }
      filled = 4 * count
    }
  }

  /// How far it is, on a terminal, when it takes longer than half a second.
  private struct Progress {
    private let isShown: Bool
    private let total: Int64
    private var done: Int64 = 0
    private var isOnScreen = false
    private var next = SystemClock.now + .milliseconds(500)

    init(isShown: Bool, of total: Int64) {
      self.isShown = isShown && isatty(STDERR_FILENO) != 0
      self.total = total
    }

    mutating func advance(_ frames: Int) {
      done += Int64(frames)
      guard isShown, next < SystemClock.now else { return }
      next = SystemClock.now + .milliseconds(200)
      isOnScreen = true
      StandardOutput.write("\rrender: \(done * 100 / max(1, total)) %", to: STDERR_FILENO)
    }

    /// Clears the line.
    mutating func end() {
      if isOnScreen { StandardOutput.write("\r              \r", to: STDERR_FILENO) }
      isOnScreen = false
    }
  }
}

extension Failure {
  /// The line and the status for a file that cannot be written.
  fileprivate init(writing path: String, _ error: SystemError) {
    self.init(
      "\(path) cannot be written: \(error)", ExitStatus(writing: error))
  }

  fileprivate static func onWriting<Result: ~Copyable>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(Failure) -> Result {
    do throws(SystemError) { return try body() } catch { throw Failure(writing: path, error) }
  }
}
