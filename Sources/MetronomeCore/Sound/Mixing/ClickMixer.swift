internal import ClickSound
internal import MIDIClock
internal import Synchronization

/// The callback of the audio driver: starts each click at its exact frame.
///
/// Unchecked: `render` is called by one thread at a time, the driver's, and accesses only its own
/// or atomic state; the queue has the engine as its only writer and that thread as its only reader.
@safe final class ClickMixer: @unchecked Sendable {
  private let table: VoiceTable
  private let mixer: VoiceMixer
  private let commands: HandoverQueue<SoundCommand>
  private let controls: SoundControls
  private let plan: AudioPlan
  private var clock: FrameClock
  private var schedule = ClickSchedule()
  private var frame: Int64 = 0
  private var level: Float = 0
  private var latency: HostTime.Span
  private var delay = HostTime.Span.zero

  init(
    _ table: VoiceTable, plan: AudioPlan, commands: HandoverQueue<SoundCommand>,
    controls: SoundControls
  ) {
    self.table = table
    mixer = VoiceMixer(table)
    self.commands = commands
    self.controls = controls
    self.plan = plan
    clock = FrameClock(rate: Double(table.rate))
    latency = plan.latency(block: plan.period, rate: table.rate)
  }

  /// Fills `frames` frames of both channels, requested at `now`.
  ///
  /// Real-time safe: yes; no allocation, lock or system call.
  func render(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int,
    at now: HostTime
  ) {
    if frame == 0 { learn(block: frames) }
    controls.lastCallback.store(now.nanoseconds, ordering: .releasing)
    switch clock.called(frame, at: now) {
    case .steady: break
    case .interrupted, .advanced: controls.interruptions.wrappingAdd(1, ordering: .relaxed)
    }
    takeCommands()
    unsafe left.update(repeating: 0, count: frames)
    unsafe right.update(repeating: 0, count: frames)
    let bank = controls.bank.load(ordering: .relaxed)
    while clock.hasStarted,
      let onset = schedule.next(in: frame, length: frames, latency: latency, &clock)
    {
      guard begins(onset) else { continue }
      mixer.start(onset.accent, bank: bank, offset: onset.offset)
      controls.clicks.wrappingAdd(1, ordering: .relaxed)
    }
    if !mixer.isSilent {
      unsafe mixer.mix(left, right, frames: frames)
      unsafe setLevel(left, right, frames)
    } else {
      level = wantedLevel
    }
    frame += Int64(frames)
    controls.late.store(schedule.late, ordering: .relaxed)
    controls.missed.store(schedule.missed, ordering: .relaxed)
    controls.rate.store(Int(clock.rate * 1_000), ordering: .relaxed)
  }

  /// Whether a click at `onset` of the current block may start.
  ///
  /// Stores its time before it reads the cutoff, so that whoever sets a cutoff sees every click
  /// that starts.
  private func begins(_ onset: ClickSchedule.Onset) -> Bool {
    let heard = clock.time(ofFrame: frame + Int64(onset.offset)) + latency
    controls.lastOnset.store(heard.nanoseconds, ordering: .sequentiallyConsistent)
    return heard.nanoseconds <= controls.cutoff.load(ordering: .sequentiallyConsistent)
  }

  private func takeCommands() {
    while let command = commands.pop() {
      switch command {
      case .click(var click):
        click.time = click.time + delay
        schedule.add(click)
      case .cancel(let time): schedule.cancel(after: time)
      }
    }
  }

  /// A driver's block may be longer than planned.
  ///
  /// All clicks are then delayed by the difference.
  private func learn(block: Int) {
    latency = plan.latency(block: block, rate: table.rate)
    delay = max(.zero, plan.lead(block: block, rate: table.rate) - plan.lead)
    controls.block.store(block, ordering: .relaxed)
    controls.latency.store(latency.nanoseconds, ordering: .relaxed)
    controls.delay.store(delay.nanoseconds, ordering: .relaxed)
  }

  private var wantedLevel: Float { Float(controls.volume.load(ordering: .relaxed)) / 1_000 }

  /// Scales both channels, ramping when the level has changed, and clips them to -1 to 1.
  private func setLevel(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    let wanted = wantedLevel
    let step = (wanted - level) / Float(frames)
    var index = 0
    while index < frames {
      level += step
      unsafe left[index] = max(-1, min(1, left[index] * level))
      unsafe right[index] = max(-1, min(1, right[index] * level))
      index += 1
    }
    level = wanted
  }
}
