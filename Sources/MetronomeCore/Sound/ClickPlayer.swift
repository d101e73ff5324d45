public import MIDIClock
internal import Synchronization

/// Voices the clicks through FluidSynth.
///
/// A thread of its own opens the synth, which may take seconds, and plays what the engine hands
/// over, so that nothing of the synth's locks or of a slow sound server reaches the clock. A click
/// is heard at the next block the audio driver renders: some milliseconds late, and by as much
/// uneven.
public final class ClickPlayer: Sendable {
  /// What came of opening the synth.
  public typealias Outcome = Result<Voice, SoundError>

  /// A synth that can be heard.
  public struct Voice: Hashable, Sendable {
    /// The sound font's path.
    public let font: String
    /// FluidSynth's name of the audio driver.
    public let driver: String
  }

  private let notes = HandoverQueue<MIDIMessage>(capacity: 256)
  private let outcomes = HandoverQueue<Outcome>(capacity: 1)
  private let doorbell = Doorbell()
  private let notifier: Notifier
  private let isEnding = Atomic<Bool>(false)

  private init(notifier: Notifier) { self.notifier = notifier }

  /// Starts opening the synth; the outcome follows by `descriptor` and `takeOutcome`.
  ///
  /// - Parameters:
  ///   - font: The sound font's path.
  ///   - driver: FluidSynth's name of the audio driver; `nil` for the first that works.
  ///   - volume: Percent, 0 to 200.
  /// - Throws: `SystemError` when there is no thread to be had.
  public static func start(font: String, driver: String?, volume: Int64) throws(SystemError)
    -> ClickPlayer
  {
    let player = ClickPlayer(notifier: try .open())
    // Below the clock, and above what is not music.
    let thread = try RealtimeThread.start(
      name: "midimetro-sound", priority: Scheduling.defaultPriority - 10,
      state: Job(player: player, font: font, driver: driver, volume: volume)
    ) { $0.run() }
    _ = consume thread
    return player
  }

  /// Readable when there is an outcome to take.
  public var descriptor: Int32 { notifier.descriptor }

  /// What came of opening the synth, once; `nil` before and after.
  public func takeOutcome() -> Outcome? {
    notifier.drain()
    return outcomes.pop()
  }

  /// Hands a note over to be played now; dropped when 256 wait. Real-time safe: yes.
  func play(_ note: MIDIMessage) {
    _ = notes.push(note)
    doorbell.ring()
  }

  /// Lets the thread close the synth and end; returns when it has, or at `deadline`.
  public func stop(by deadline: HostTime) {
    isEnding.store(true, ordering: .releasing)
    doorbell.ring()
    var set = PollSet([notifier.descriptor])
    _ = try? set.wait(until: deadline)
  }

  /// The thread's work.
  private struct Job: Sendable {
    let player: ClickPlayer
    let font: String
    let driver: String?
    let volume: Int64

    func run() {
      var synth: Synth?
      do throws(SoundError) {
        // 100 percent is FluidSynth's gain 1, five times its careful default for whole orchestras.
        let opened = try Synth.open(try .open(), font: font, gain: Double(volume) / 100)
        let name = try opened.startDriver(driver)
        synth = opened
        _ = player.outcomes.push(.success(Voice(font: font, driver: name)))
      } catch { _ = player.outcomes.push(.failure(error)) }
      player.notifier.notify()
      // What was handed over while the synth was being opened is too late to be heard.
      while player.notes.pop() != nil {}
      while !player.isEnding.load(ordering: .acquiring) {
        _ = player.doorbell.wait(until: .distantFuture)
        while let note = player.notes.pop() { synth?.play(note) }
      }
      synth = nil
      player.notifier.notify()
    }
  }
}
