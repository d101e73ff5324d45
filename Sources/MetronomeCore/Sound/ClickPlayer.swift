public import ClickSound
public import MIDIClock
internal import Synchronization

/// Voices the clicks through one of FluidSynth's audio drivers, each at its own frame.
///
/// The engine hands a click over ahead of time, with the instant at which it is to be heard; the
/// driver's thread, which calls us back for every period, finds the frame that will be heard then
/// and begins the click there (`ClickMixer`, `FrameClock`). A thread of our own opens the driver,
/// which may take seconds, and watches over it: so neither a slow sound server nor one that hangs
/// reaches the clock.
public final class ClickPlayer: Sendable {
  private let settings: SoundSettings
  private let commands = HandoverQueue<SoundCommand>(capacity: 256)
  private let news = HandoverQueue<SoundNews>(capacity: 64)
  private let controls: SoundControls
  private let doorbell = Doorbell()
  private let notifier: Notifier
  private let ended: Notifier
  private let isEnding = Atomic<Bool>(false)

  private init(_ settings: SoundSettings, notifier: Notifier, ended: Notifier) {
    self.settings = settings
    self.notifier = notifier
    self.ended = ended
    controls = SoundControls(
      volume: settings.volume,
      bank: settings.font == nil
        ? ClickSet.allCases.firstIndex(of: settings.set) ?? 0 : VoiceTable.fontBank)
  }

  /// Starts opening the sound; what comes of it follows by `descriptor` and `takeNews`.
  ///
  /// - Throws: `SystemError` when there is no thread to be had.
  public static func start(_ settings: SoundSettings) throws(SystemError) -> ClickPlayer {
    let player = ClickPlayer(settings, notifier: try .open(), ended: try .open())
    let thread = try RealtimeThread.start(name: "midimetro-sound", priority: nil, state: player) {
      $0.run()
    }
    _ = consume thread
    return player
  }

  /// Readable when there is news to take.
  public var descriptor: Int32 { notifier.descriptor }

  /// The news since the last call, oldest first.
  public func takeNews() -> [SoundNews] {
    notifier.drain()
    var taken: [SoundNews] = []
    while let next = news.pop() { taken.append(next) }
    return taken
  }

  /// The offset of the route that feeds it: it runs ahead by as long as the driver's buffer lasts.
  public var routeOffset: HostTime.Span { settings.offset - settings.plan.lead }

  /// The notes it can play.
  public var notes: ClickVoice { settings.notes }

  /// Hands over a click planned for `time` on a route with `routeOffset`; what is no note-on is
  /// ignored, since a click ends by itself.
  ///
  /// Real-time safe: yes. One thread calls it, and `cancel`: the engine's.
  func play(_ message: MIDIMessage, plannedFor time: HostTime) {
    guard case .noteOn(_, let key, let velocity) = message else { return }
    let accent = settings.notes.accent(key: key, velocity: velocity)
    let heard = time + settings.plan.lead
    _ = commands.push(.click(ClickSchedule.Click(accent: accent, at: heard)))
  }

  /// Lets a click be heard at `time`; earlier than the driver's buffer allows, it is left out.
  ///
  /// For whoever has no engine; one thread calls it, and `takeBack`.
  public func click(_ accent: Accent, at time: HostTime) {
    _ = commands.push(.click(ClickSchedule.Click(accent: accent, at: time + settings.offset)))
  }

  /// Takes back what `click` would let be heard after `time`.
  public func takeBack(after time: HostTime) { cancel(after: time) }

  /// Takes back the clicks that would be heard after `time`.
  ///
  /// Real-time safe: yes.
  func cancel(after time: HostTime) { _ = commands.push(.cancel(after: time)) }

  /// Lets nothing begin that would be heard after `time`.
  ///
  /// What the driver holds already cannot be taken back. Real-time safe: yes.
  /// - Returns: When the last click that has begun is heard; not before `time`.
  func end(after time: HostTime) -> HostTime {
    controls.cutoff.store(time.nanoseconds, ordering: .sequentiallyConsistent)
    let last = controls.lastOnset.load(ordering: .sequentiallyConsistent)
    return max(time, HostTime(nanoseconds: last))
  }

  /// Sets the volume, 0 to 200 percent; at the next period, without a crack.
  ///
  /// May be called from any thread.
  public func setVolume(_ percent: Int64) {
    controls.volume.store(Int(max(0, min(200, percent))) * 10, ordering: .relaxed)
  }

  /// The volume in percent.
  public var volume: Int64 { Int64(controls.volume.load(ordering: .relaxed) / 10) }

  /// Changes to a built-in set, from the next click on; likewise.
  public func choose(_ set: ClickSet) {
    controls.bank.store(ClickSet.allCases.firstIndex(of: set) ?? 0, ordering: .relaxed)
  }

  /// What has been heard so far.
  public var tally: SoundTally {
    let rate = controls.rate.load(ordering: .relaxed)
    return SoundTally(
      clicks: controls.clicks.load(ordering: .relaxed),
      late: controls.late.load(ordering: .relaxed),
      missed: controls.missed.load(ordering: .relaxed),
      interruptions: controls.interruptions.load(ordering: .relaxed),
      rate: rate > 0 ? Double(rate) / 1_000 : nil)
  }

  /// Lets the thread close the driver and end; returns when it has, or at `deadline`.
  ///
  /// - Returns: False when the driver did not end in time: whoever ends the process must not wait
  ///   for it.
  public func stop(by deadline: HostTime) -> Bool {
    isEnding.store(true, ordering: .releasing)
    doorbell.ring()
    var set = PollSet([ended.descriptor])
    return (try? set.wait(until: deadline))?.isEmpty == false
  }

  // MARK: - The thread's work

  /// From opening a driver until it must have called back.
  private static let firstCallback = HostTime.Span.seconds(3)
  /// A driver that has not called back for so long has stopped.
  private static let silence = HostTime.Span.seconds(2)

  private func run() {
    var open: Open?
    do throws(SoundError) {
      open = try openDriver()
    } catch {
      tell(.failed(error))
      open = nil
    }
    var told = 0
    while !isEnding.load(ordering: .acquiring) {
      // Nothing to watch over before there was a sound.
      let wake = open == nil ? HostTime.distantFuture : SystemClock.now + .milliseconds(500)
      if doorbell.wait(until: wake) { continue }
      let interruptions = controls.interruptions.load(ordering: .relaxed)
      if interruptions > told { tell(.interrupted(interruptions)) }
      told = interruptions
      let last = HostTime(nanoseconds: controls.lastCallback.load(ordering: .acquiring))
      // The name alone: the driver itself must go before another can be opened.
      if Self.silence < SystemClock.now - last, let lost = open?.driver {
        tell(.lost(driver: lost.text))
        open = nil
        open = reopen()
      }
    }
    open = nil
    ended.notify()
  }

  /// A driver that runs.
  private struct Open {
    let output: AudioOutput
    let driver: AudioDriver
  }

  private func tell(_ said: SoundNews) {
    _ = news.push(said)
    notifier.notify()
  }

  /// Tries every two seconds until it works or we end.
  private func reopen() -> Open? {
    while !isEnding.load(ordering: .acquiring) {
      if doorbell.wait(until: SystemClock.now + .seconds(2)) { continue }
      do throws(SoundError) {
        return try openDriver()
      } catch { continue }
    }
    return nil
  }

  private func openDriver() throws(SoundError) -> Open {
    let settings = try FluidSettings.make(try .open())
    let built = try settings.options("audio.driver")
    guard let named = self.settings.driver else {
      var complaints: [String] = []
      for driver in AudioDriver.candidates(built: built, jackIsRunning: AudioDriver.jackIsRunning) {
        do throws(SoundError) {
          return try open(
            settings, driver,
            reason: complaints.isEmpty
              ? "the first there is"
              : "the first that works (\(complaints.joined(separator: ", ")))")
        } catch {
          guard case .noDriver = error else {
            guard case .noAnswer = error else { throw error }
            complaints.append("\(driver.name) does not answer")
            continue
          }
          complaints.append("no \(driver.name)")
        }
      }
      throw .noDriver(nil, said: FluidSynth.takeComplaint())
    }
    guard built.contains(named.name) else { throw .unknownDriver(named.name, built: built) }
    return try open(settings, named, reason: "asked for")
  }

  private func open(
    _ fluid: FluidSettings, _ driver: AudioDriver, reason: String
  ) throws(SoundError) -> Open {
    var rate = AudioPlan.rate
    // A driver with a rate of its own is asked again, with clicks made for it.
    for _ in 0..<2 {
      let table = VoiceTable(
        rate: rate, notes: settings.notes, font: try fontVoices(fluid.library, rate: rate))
      let mixer = ClickMixer(table, plan: settings.plan, commands: commands, controls: controls)
      controls.lastCallback.store(0, ordering: .releasing)
      let output = try AudioOutput.open(
        fluid, driver, plan: settings.plan, rate: rate, mixer: mixer)
      guard output.rate == rate else {
        rate = output.rate
        continue
      }
      try waitForCallback(driver)
      tell(
        .ready(
          SoundOpened(
            driver: driver.text, reason: reason,
            sound: settings.font ?? settings.set.rawValue, rate: rate,
            block: controls.block.load(ordering: .relaxed),
            buffer: settings.plan.period * settings.plan.count,
            latency: HostTime.Span(nanoseconds: controls.latency.load(ordering: .relaxed)),
            delay: HostTime.Span(nanoseconds: controls.delay.load(ordering: .relaxed)))))
      return Open(output: output, driver: driver)
    }
    throw .noDriver(driver.text, said: "it keeps changing its sample rate")
  }

  private func fontVoices(
    _ library: FluidSynth, rate: Int
  ) throws(SoundError) -> [StereoFrames]? {
    guard let path = settings.font else { return nil }
    return try FontVoices.render(library, path: path, notes: settings.notes, rate: rate)
  }

  private func waitForCallback(_ driver: AudioDriver) throws(SoundError) {
    let deadline = SystemClock.now + Self.firstCallback
    while controls.lastCallback.load(ordering: .acquiring) == 0 {
      guard SystemClock.now < deadline, !isEnding.load(ordering: .acquiring) else {
        throw .noAnswer(driver.text)
      }
      SystemClock.sleep(until: SystemClock.now + .milliseconds(1))
    }
  }
}
