public import ClickSound
public import MIDIClock
internal import Synchronization

/// Plays clicks through one of FluidSynth's audio drivers, each at its exact frame.
///
/// The engine hands a click over ahead of time, with the instant at which it must be heard. The
/// driver's thread, which calls back for every period, finds the frame that will be heard at that
/// instant and starts the click there (`ClickMixer`, `FrameClock`). A separate thread opens the
/// driver, which may take seconds, and monitors it, so that a slow or hung sound server never
/// affects the clock.
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

  /// Starts opening the sound; the result arrives through `descriptor` and `takeNews`.
  ///
  /// - Throws: `SystemError` if the thread cannot be created.
  public static func start(_ settings: SoundSettings) throws(SystemError) -> ClickPlayer {
    let player = ClickPlayer(settings, notifier: try .open(), ended: try .open())
    let thread = try RealtimeThread.start(name: "midimetro-sound", priority: nil, state: player) {
      $0.run()
    }
    _ = consume thread
    return player
  }

  /// Readable when there is news.
  public var descriptor: Int32 { notifier.descriptor }

  /// The news since the last call, oldest first.
  public func takeNews() -> [SoundNews] {
    notifier.drain()
    var taken: [SoundNews] = []
    while let next = news.pop() { taken.append(next) }
    return taken
  }

  /// The offset for the route that feeds the player: it must run ahead by the length of the
  /// driver's buffer.
  public var routeOffset: HostTime.Span { settings.offset - settings.plan.lead }

  /// The notes it plays.
  public var notes: ClickVoice { settings.notes }

  /// Hands over a click planned for `time` on a route with `routeOffset`.
  ///
  /// Ignores everything but note-ons, since a click ends by itself.
  ///
  /// Real-time safe: yes. Call it and `cancel` from one thread only, the engine's.
  func play(_ message: MIDIMessage, plannedFor time: HostTime) {
    guard case .noteOn(_, let key, let velocity) = message else { return }
    let accent = settings.notes.accent(key: key, velocity: velocity)
    let heard = time + settings.plan.lead
    _ = commands.push(.click(ClickSchedule.Click(accent: accent, at: heard)))
  }

  /// Plays a click heard at `time`; it is skipped if that is too soon for the driver's buffer.
  ///
  /// For callers without an engine. Call it and `takeBack` from one thread only.
  public func click(_ accent: Accent, at time: HostTime) {
    _ = commands.push(.click(ClickSchedule.Click(accent: accent, at: time + settings.offset)))
  }

  /// Cancels the clicks of `click` that would be heard after `time`.
  public func takeBack(after time: HostTime) { cancel(after: time) }

  /// Cancels the clicks that would be heard after `time`.
  ///
  /// Real-time safe: yes.
  func cancel(after time: HostTime) { _ = commands.push(.cancel(after: time)) }

  /// Starts no more clicks that would be heard after `time`.
  ///
  /// Clicks already in the driver's buffer cannot be cancelled. Real-time safe: yes.
  /// - Returns: When the last started click is heard; not before `time`.
  func end(after time: HostTime) -> HostTime {
    controls.cutoff.store(time.nanoseconds, ordering: .sequentiallyConsistent)
    let last = controls.lastOnset.load(ordering: .sequentiallyConsistent)
    return max(time, HostTime(nanoseconds: last))
  }

  /// Sets the volume in percent, within `SoundSettings.volumes`.
  ///
  /// Takes effect at the next period, ramped to avoid a crackle.
  ///
  /// May be called from any thread.
  public func setVolume(_ percent: Int64) {
    let volumes = SoundSettings.volumes
    let percent = max(volumes.lowerBound, min(volumes.upperBound, percent))
    controls.volume.store(Int(percent) * 10, ordering: .relaxed)
  }

  /// The volume in percent.
  public var volume: Int64 { Int64(controls.volume.load(ordering: .relaxed) / 10) }

  /// Selects a built-in set, from the next click on.
  ///
  /// May be called from any thread.
  public func choose(_ set: ClickSet) {
    controls.bank.store(ClickSet.allCases.firstIndex(of: set) ?? 0, ordering: .relaxed)
  }

  /// The statistics so far.
  public var tally: SoundTally {
    let rate = controls.rate.load(ordering: .relaxed)
    return SoundTally(
      clicks: controls.clicks.load(ordering: .relaxed),
      late: controls.late.load(ordering: .relaxed),
      missed: controls.missed.load(ordering: .relaxed),
      interruptions: controls.interruptions.load(ordering: .relaxed),
      rate: rate > 0 ? Double(rate) / 1_000 : nil)
  }

  /// Asks the thread to close the driver and end; returns when it has, or at `deadline`.
  ///
  /// - Returns: False if the driver did not end in time; the process must then exit without waiting
  ///   for it.
  public func stop(by deadline: HostTime) -> Bool {
    isEnding.store(true, ordering: .releasing)
    doorbell.ring()
    var set = PollSet([ended.descriptor])
    return (try? set.wait(until: deadline))?.isEmpty == false
  }

  // MARK: - The thread's work

  /// The time limit for a driver's first callback.
  private static let firstCallback = HostTime.Span.seconds(3)
  /// A driver that has not called back for this long has stopped.
  private static let silence = HostTime.Span.seconds(2)

  private func run() {
    var open: Open?
    do throws(SoundError) {
      open = try openDriver()
    } catch {
      report(.failed(error))
      open = nil
    }
    var reportedInterruptions = 0
    while !isEnding.load(ordering: .acquiring) {
      // Before the sound is open there is nothing to monitor.
      let wake = open == nil ? HostTime.distantFuture : SystemClock.now + .milliseconds(500)
      if doorbell.wait(until: wake) { continue }
      let interruptions = controls.interruptions.load(ordering: .relaxed)
      if interruptions > reportedInterruptions { report(.interrupted(interruptions)) }
      reportedInterruptions = interruptions
      let last = HostTime(nanoseconds: controls.lastCallback.load(ordering: .acquiring))
      // Keep only the name: the driver must be released before another can be opened.
      if Self.silence < SystemClock.now - last, let lost = open?.driver {
        report(.lost(driver: lost.text))
        open = nil
        open = reopen()
      }
    }
    open = nil
    ended.notify()
  }

  /// A running driver.
  private struct Open {
    let output: AudioOutput
    let driver: AudioDriver
  }

  private func report(_ event: SoundNews) {
    _ = news.push(event)
    notifier.notify()
  }

  /// Retries every two seconds until it succeeds or the player ends.
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
      var failed: [SoundOpened.Failed] = []
      for driver in AudioDriver.candidates(built: built, jackIsRunning: AudioDriver.jackIsRunning) {
        do throws(SoundError) {
          return try open(settings, driver, reason: .firstWorking(after: failed))
        } catch {
          switch error {
          case .noDriver: failed.append(.init(driver: driver.name, isSilent: false))
          case .noAnswer: failed.append(.init(driver: driver.name, isSilent: true))
          default: throw error
          }
        }
      }
      throw .noDriver(nil, said: FluidSynth.takeComplaint())
    }
    guard built.contains(named.name) else { throw .unknownDriver(named.name, built: built) }
    return try open(settings, named, reason: .askedFor)
  }

  private func open(
    _ fluid: FluidSettings, _ driver: AudioDriver, reason: SoundOpened.Reason
  ) throws(SoundError) -> Open {
    var rate = AudioPlan.rate
    // If the driver has its own rate, open it again, with clicks rendered at that rate.
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
      report(
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
