internal import ClickSound
public import MIDIClock
internal import Synchronization

/// What the engine hands to the audio driver's thread.
enum SoundCommand: Sendable {
  case click(ClickSchedule.Click)
  /// Takes back what is to be heard later.
  case cancel(after: HostTime)
}

/// What one may turn while it sounds, and what it counts; shared between threads.
final class SoundControls: Sendable {
  /// Thousandths of full level, 0 to 2000.
  let volume: Atomic<Int>
  let isMuted = Atomic<Bool>(false)
  /// The bank of the voices.
  let bank: Atomic<Int>
  let clicks = Atomic<Int>(0)
  let late = Atomic<Int>(0)
  let missed = Atomic<Int>(0)
  let interruptions = Atomic<Int>(0)
  /// Nothing begins that would be heard after this instant, ns; and when the click begun last is heard.
  ///
  /// Each side writes its own before it reads the other's.
  let cutoff = Atomic<Int64>(.max)
  let lastOnset = Atomic<Int64>(.min)
  /// The instant of the last callback, ns; 0 before the first.
  let lastCallback = Atomic<Int64>(0)
  /// Frames that the driver asks for at once.
  let block = Atomic<Int>(0)
  /// Measured thousandths of a frame per second; 0 before the first callback.
  let rate = Atomic<Int>(0)
  /// From a frame's being asked for to its being heard, and how much later than planned clicks
  /// are heard because this was not foreseen; ns.
  let latency = Atomic<Int64>(0)
  let delay = Atomic<Int64>(0)

  init(volume: Int64, bank: Int) {
    self.volume = Atomic(Int(volume) * 10)
    self.bank = Atomic(bank)
  }
}

/// What the audio driver calls back: begins each click at its own frame.
///
/// Unchecked: `render` is called by one thread at a time, the driver's, and touches what is its own
/// or atomic; the queue has the engine as its writer and that thread as its reader.
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

  /// Fills `frames` frames of both sides, asked for at `now`.
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

  /// Whether a click at `onset` of the present block may be heard; whoever sets a cutoff sees that it
  /// will be.
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

  /// A driver may ask for more at once than was planned for: then clicks are all heard later by as
  /// much as is missing.
  private func learn(block: Int) {
    latency = plan.latency(block: block, rate: table.rate)
    delay = max(.zero, plan.lead(block: block, rate: table.rate) - plan.lead)
    controls.block.store(block, ordering: .relaxed)
    controls.latency.store(latency.nanoseconds, ordering: .relaxed)
    controls.delay.store(delay.nanoseconds, ordering: .relaxed)
  }

  private var wantedLevel: Float {
    controls.isMuted.load(ordering: .relaxed)
      ? 0 : Float(controls.volume.load(ordering: .relaxed)) / 1_000
  }

  /// Brings both sides to their level, without a step when it has changed, and within -1 to 1.
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

/// The buffer that the audio driver is asked for, and how far ahead of it clicks must be known.
public struct AudioPlan: Hashable, Sendable {
  /// Frames per second asked for.
  public static let rate = 48_000
  /// The frames in a period that can be asked for.
  public static let periods: ClosedRange<Int64> = 16...8_192

  /// Frames in a period.
  public var period: Int
  /// Periods in the driver's buffer: at least 20 ms of them, and at least two.
  ///
  /// Clicks are placed by their frame, so a long buffer costs no evenness; it only makes changes
  /// heard later.
  public var count: Int { max(2, (1_024 + period - 1) / period) }

  /// A buffer of periods of `period` frames.
  public init(period: Int = 256) { self.period = period }

  /// The estimate of the driver's latency, from a frame's being asked for to its being heard.
  ///
  /// It is a full buffer. What a sound server and the card's own converter add cannot be known here.
  ///
  /// `block` is what the driver really asks for at once; one that takes more than a period, JACK
  /// for one, has two such blocks in hand.
  func latency(block: Int, rate: Int) -> HostTime.Span {
    let frames = block > period ? max(period * count, 2 * block) : period * count
    return HostTime.Span(nanoseconds: Int64(frames) * 1_000_000_000 / Int64(rate))
  }

  /// How long before it is heard a click must be known.
  ///
  /// The latency, one block more, and 5 ms for threads that wake late.
  func lead(block: Int, rate: Int) -> HostTime.Span {
    latency(block: block, rate: rate)
      + HostTime.Span(nanoseconds: Int64(max(block, period)) * 1_000_000_000 / Int64(rate))
      + .milliseconds(5)
  }

  /// The same for the block and rate that are asked for.
  public var lead: HostTime.Span { lead(block: period, rate: Self.rate) }
}
