/// Derives bar, beat and tempo from the MIDI messages of one source.
///
/// **Position is the count of pulses** since Start, Continue or Song Position, and nothing else. No
/// pulse is dropped or inserted because of its timing. After Start, the next pulse is number 0.
/// After Continue, it is the one at which Stop left off, or the one set by the last Song Position
/// received while stopped. Stop freezes the count. Beats follow from the count.
///
/// **Tempo is estimated** separately (`TempoEstimator`), from all pulses, rolling or not.
///
/// The **lock** has five states. *Idle*: no pulse has arrived yet. *Learning*: pulses arrive, but
/// the estimate is not reliable yet. *Locked*: the estimate is reliable. *Freewheeling*: one and a
/// half periods have passed without a pulse; the estimate is kept and extrapolated. *Lost*: the
/// silence has lasted too long; this is reported once, and the tempo is unknown from then on. The
/// second pulse after it measures the tempo again, and restores the lock if it is the old one.
///
/// | state        | pulse              | silence of 1.5 periods | of `lostAfter` | other messages |
/// |--------------|--------------------|------------------------|----------------|----------------|
/// | idle         | learning, "found"  | idle                   | idle           | idle           |
/// | learning     | learning or locked | learning               | lost, "lost"   | learning       |
/// | locked       | locked or learning | freewheeling           | lost, "lost"   | locked         |
/// | freewheeling | locked or learning | freewheeling           | lost, "lost"   | freewheeling   |
/// | lost         | learning, "found"  | lost                   | lost           | lost           |
///
/// The **transport** has three states, independent of the lock:
///
/// | state   | Start          | Continue      | Stop    | Song Position | pulse            |
/// |---------|----------------|---------------|---------|---------------|------------------|
/// | stopped | armed at 0     | armed         | ignored | position set  | tempo only       |
/// | armed   | armed at 0     | ignored       | stopped | ignored       | rolling, counted |
/// | rolling | armed at 0     | ignored       | stopped | ignored       | counted          |
///
/// `repairs` makes up for pulses lost or doubled *in transit*. When the arrivals stay shifted by a
/// whole number of periods for six pulses, on a grid that a beat of pulses has established, the
/// count is corrected and reported; with repairs off it is only reported. Neither a stall nor an
/// uneven leader triggers this: the burst after a stall delivers the overdue pulses in fewer than
/// six, and an uneven leader does not hold a shift that long. Nor does a tempo step: the pulses after
/// it have a period of their own (`SlipCounter`).
///
/// Time is a parameter; the follower never reads a clock. Between messages, call `elapse(to:)` at
/// `deadline` so that silence is noticed. Fetch the reports with `nextReport()`.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, "System Real Time Messages" and "Song Position
/// Pointer".
public struct ClockFollower: ~Copyable, Sendable {
  /// How reliable the clock is.
  public enum LockState: UInt8, Hashable, Sendable, CaseIterable {
    /// No pulse has arrived yet.
    case idle
    /// Pulses arrive; the estimate is not reliable yet.
    case learning
    /// The estimate is reliable.
    case locked
    /// A pulse is overdue; the estimate is extrapolated.
    case freewheeling
    /// Too many pulses are overdue.
    case lost
  }

  private var estimator = TempoEstimator()
  private var reports = ReportQueue()
  private let repairs: Bool
  private let lostAfter: HostTime.Span?
  /// Pulses of the source per pulse counted; 2 for a source of 48 PPQN.
  private let divisor: Int64

  private var lock = LockState.idle
  private var transportState = Transport.stopped
  private var lastPulse = HostTime.zero
  /// The number of the next pulse.
  private var next: Int64 = 0
  /// Pulses of the source since the last one counted, now and at the last Stop.
  private var phase: Int64 = 0
  private var phaseAtStop: Int64 = 0
  /// Whether the clock has come back after a loss and no interval has been measured yet.
  private var isUnmeasured = false
  /// The number of pulses received by the last Stop.
  private var heardAtStop: Int64?
  private var hasPosition = false
  private var hasReportedUnstarted = false
  /// The pulse of the newest beat reported since the position was last set.
  private var lastBeatPulse: Int64?

  /// Meters and accents.
  private var meters: MeterMap

  /// Pulses counted since the last Start, while rolling.
  public private(set) var pulses: Int64 = 0
  /// Beats reported since the last Start.
  public private(set) var beats: Int64 = 0

  /// Creates an idle follower.
  ///
  /// - Parameters:
  ///   - meters: Meters and accents; 4/4 by default.
  ///   - repairs: Whether to correct the count for pulses lost or doubled in transit.
  ///   - lostAfter: The silence after which the clock counts as lost, at least two periods. If
  ///     `nil`, four periods, but at least half a second.
  ///   - divisor: Pulses of the source per pulse of 24 PPQN, at least 1. From Start, Continue or
  ///     Song Position on, every `divisor`-th pulse is counted; the others are disregarded.
  public init(
    meters: MeterMap = MeterMap(.common), repairs: Bool = false,
    lostAfter: HostTime.Span? = nil, divisor: Int64 = 1
  ) {
    self.meters = meters
    self.divisor = divisor < 1 ? 1 : divisor
    self.repairs = repairs
    self.lostAfter = lostAfter
  }

  // MARK: - Results

  /// Removes and returns the oldest report; up to 16 are kept.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func nextReport() -> FollowerReport? { reports.next() }

  /// How reliable the clock is.
  public var state: LockState { @_noLocks mutating get { lock } }

  /// Stopped, armed (a Start or Continue waits for its pulse) or rolling.
  public var transport: Transport { @_noLocks mutating get { transportState } }

  /// The number of the newest pulse while rolling, of the next one otherwise; `nil` before the
  /// first Start, Continue or Song Position.
  public var pulse: Int64? {
    @_noLocks mutating get { hasPosition ? (transportState.isRolling ? next &- 1 : next) : nil }
  }

  /// Bar, beat and tick of `pulse`.
  public var position: Position? {
    @_noLocks mutating get {
      guard let pulse else { return nil }
      return meters.span(at: Tick(pulse: pulse)).position(of: Tick(pulse: pulse))
    }
  }

  /// Whether the tempo is known and the clock not lost.
  public var isLive: Bool { @_noLocks mutating get { isMeasured && estimator.bpm != nil } }

  /// The tempo in quarter notes per minute; `nil` while unknown or lost.
  public var bpm: Double? { @_noLocks mutating get { isMeasured ? estimator.bpm : nil } }

  /// The tempo, rounded to thousandths of a BPM; `nil` while unknown or lost.
  public var tempo: Tempo? { @_noLocks mutating get { isMeasured ? estimator.tempo : nil } }

  /// The estimate, stamped with the newest pulse; `nil` while unknown or lost.
  public var reading: FollowerReport.TempoReading? {
    @_noLocks mutating get { isMeasured ? estimator.reading(at: lastPulse) : nil }
  }

  /// Missing pulses; see `TempoEstimator.missing`.
  public var missing: Int64 { @_noLocks mutating get { estimator.missing } }
  /// Surplus pulses; see `TempoEstimator.extra`.
  public var extra: Int64 { @_noLocks mutating get { estimator.extra } }
  /// Late pulses; see `TempoEstimator.late`.
  public var late: Int64 { @_noLocks mutating get { estimator.late } }

  /// The grid time of pulse number `pulse` of the song, past or future; `nil` unless rolling with a
  /// known tempo.
  ///
  /// A regenerated clock sends its pulses at these times.
  @_noLocks
  public mutating func time(ofPulse pulse: Int64) -> HostTime? {
    guard transportState.isRolling, isMeasured else { return nil }
    return estimator.time(ahead: pulse &- (next &- 1))
  }

  /// All pulses received, rolling or not.
  public private(set) var heard: Int64 = 0

  /// The grid time of the pulse `count` after the newest one received, rolling or not.
  ///
  /// Negative counts look back; `nil` while unknown.
  @_noLocks
  public mutating func time(ahead count: Int64) -> HostTime? {
    isHeard ? estimator.time(ahead: count) : nil
  }

  /// Whether pulses may be sent before they arrive: while locked or freewheeling.
  public var predicts: Bool {
    @_noLocks mutating get {
      switch lock {
      case .locked, .freewheeling: true
      case .idle, .learning, .lost: false
      }
    }
  }

  /// Whether the next pulse is uncertain to come, because the leader has stopped: it is sent on when
  /// it arrives, not before.
  ///
  /// Many leaders send no pulses while stopped. The first pulse after the Stop shows that this one
  /// does.
  var awaitsPulse: Bool {
    @_noLocks mutating get {
      guard transportState.isStopped else { return false }
      if case .freewheeling = lock { return true }
      return heardAtStop == heard
    }
  }

  /// The estimated period in whole nanoseconds; that of 120 BPM while unknown.
  var periodNanoseconds: Int64 {
    @_noLocks mutating get {
      guard let period = estimator.period ?? estimator.sustainedPeriod else {
        return Real.nearest(Resolution.pulseAtOneBPM / 120)
      }
      return Real.nearest(period)
    }
  }

  /// When to call `elapse(to:)` next; `nil` when only a message can change the state.
  public var deadline: HostTime? {
    @_noLocks mutating get {
      switch lock {
      case .idle, .lost: nil
      case .locked: freewheelTime < lossTime ? freewheelTime : lossTime
      case .learning, .freewheeling: lossTime
      }
    }
  }

  private var isHeard: Bool {
    @_noLocks mutating get {
      switch lock {
      case .learning, .locked, .freewheeling: true
      case .idle, .lost: false
      }
    }
  }

  private var isMeasured: Bool { @_noLocks mutating get { isHeard && !isUnmeasured } }

  private var freewheelTime: HostTime {
    @_noLocks mutating get {
      guard let period = estimator.period else { return lossTime }
      return lastPulse + HostTime.Span(nanoseconds: Real.nearest(1.5 * period))
    }
  }

  private var lossTime: HostTime {
    @_noLocks mutating get {
      let half = HostTime.Span.milliseconds(500)
      var least = half
      var periods: Double = 4
      if let lostAfter {
        least = lostAfter
        // Below two periods, every pulse would be reported as lost and found.
        periods = 2
      }
      if let period = estimator.period {
        let span = HostTime.Span(nanoseconds: Real.nearest(periods * period))
        return lastPulse + (span < least ? least : span)
      }
      return lastPulse + (least < half ? half : least)
    }
  }

  // MARK: - Messages

  /// Processes `message`, stamped `stamp`, from the source being followed.
  ///
  /// Messages other than clock, transport and Song Position only advance the time.
  /// Real-time safe: yes.
  @_noLocks
  public mutating func receive(_ message: MIDIMessage, at stamp: HostTime) {
    elapse(to: stamp)
    switch message {
    case .clock: if isCounted() { receivePulse(stamp) }
    case .start:
      phase = 0
      estimator.noteTransport()
      transportState = .armed
      moveTo(0)
      pulses = 0
      beats = 0
      reports.append(.start(at: stamp))
    case .continue:
      guard transportState.isStopped else {
        return reports.append(.ignored(at: stamp, .continue))
      }
      transportState = .armed
      phase = phaseAtStop
      estimator.noteTransport()
      moveTo(next)
      reports.append(.continue(at: stamp, pulse: next))
    case .stop:
      guard !transportState.isStopped else { return reports.append(.ignored(at: stamp, .stop)) }
      transportState = .stopped
      phaseAtStop = phase
      heardAtStop = heard
      estimator.forgetShift()
      reports.append(.stop(at: stamp, pulse: next))
    case .songPosition(let position):
      guard transportState.isStopped else {
        return reports.append(.ignored(at: stamp, .position(position)))
      }
      phase = 0
      phaseAtStop = 0
      moveTo(position.pulse)
      reports.append(.position(at: stamp, position))
    case .noteOn, .noteOff, .control: break
    }
  }

  /// Advances the time to `instant` and detects a silent clock.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func elapse(to instant: HostTime) {
    switch lock {
    case .idle, .lost: return
    case .learning, .freewheeling: break
    case .locked: if freewheelTime < instant { lock = .freewheeling }
    }
    let loss = lossTime
    guard loss < instant else { return }
    lock = .lost
    reports.append(.lost(at: loss))
  }

  /// Sets the number of the next pulse and restarts the slip count.
  @_noLocks
  private mutating func moveTo(_ pulse: Int64) {
    next = pulse
    hasPosition = true
    lastBeatPulse = nil
    estimator.forgetShift()
  }

  // MARK: - Pulses

  /// Whether the pulse received is one of 24 PPQN.
  @_noLocks
  private mutating func isCounted() -> Bool {
    let isCounted = phase == 0
    phase = phase &+ 1 < divisor ? phase &+ 1 : 0
    return isCounted
  }

  @_noLocks
  private mutating func receivePulse(_ stamp: HostTime) {
    let wasHeard = isHeard
    isUnmeasured = false
    if case .lost = lock { isUnmeasured = true }
    estimator.receive(stamp)
    heard &+= 1
    lastPulse = stamp
    if !wasHeard {
      hasReportedUnstarted = false
      reports.append(.found(at: stamp))
    }
    lock = estimator.isLocked && !isUnmeasured ? .locked : .learning
    if transportState.isStopped {
      reportUnstarted(stamp)
    } else {
      count(stamp)
    }
    if let reading { reports.append(.tempo(reading)) }
  }

  @_noLocks
  private mutating func reportUnstarted(_ stamp: HostTime) {
    guard !hasPosition, !hasReportedUnstarted, case .locked = lock else { return }
    hasReportedUnstarted = true
    reports.append(.withoutStart(at: stamp))
  }

  /// Counts the pulse just received, and reports its beat.
  @_noLocks
  private mutating func count(_ stamp: HostTime) {
    transportState = .rolling
    let last = next &- 1
    next &+= 1
    pulses &+= 1
    let shift = estimator.confirmedShift
    if shift != 0 {
      if repairs {
        next &+= shift
        if next < 1 { next = 1 }
        reports.append(.repaired(at: stamp, pulses: shift))
      } else {
        reports.append(.suspected(at: stamp, pulses: shift))
      }
    }
    let now = next &- 1
    let span = meters.span(at: Tick(pulse: now))
    let ticks = Tick(pulse: now).count &- span.start.count
    let beat =
      Division.floor(ticks, by: span.pattern.meter.ticksPerBeat)
      &* span.pattern.meter.ticksPerBeat &+ span.start.count
    // Either on the beat, or a repair has just skipped it: then it is reported late rather than
    // never. A repair that steps back must not report a beat twice.
    let pulse = beat / Resolution.ticksPerPulse
    guard pulse > last, pulse <= now else { return }
    if let lastBeatPulse, pulse <= lastBeatPulse { return }
    lastBeatPulse = pulse
    beats &+= 1
    let position = span.position(of: Tick(beat))
    let time = estimator.time(ahead: pulse &- now)
    reports.append(
      .beat(
        FollowerReport.Beat(
          stamp: stamp, time: time ?? stamp, pulse: pulse, position: position,
          accent: span.pattern.accent(
            ofClick: (position.beat &- 1) &* span.pattern.subdivision),
          bpm: bpm)))
  }
}
