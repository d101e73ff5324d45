/// The follower: what a stream of MIDI messages from one source says about bar, beat and tempo.
///
/// **Position is the count of pulses** since Start, Continue or Song Position, and nothing else:
/// no pulse is dropped or made up for being early, late or close. Start: the next pulse is number
/// 0. Continue: the next pulse is where Stop left off, or where the last Song Position received
/// while stopped points. Stop freezes the count. Beats are told by the count.
///
/// **Tempo is an estimate** beside it (`TempoEstimator`), from all pulses, rolling or not.
///
/// The **lock** is in one of five states. *Idle*: no pulse has come yet. *Learning*: pulses come,
/// the estimate cannot be trusted yet. *Locked*: it can. *Freewheeling*: one and a half periods
/// have passed without a pulse; the estimate is kept and goes on. *Lost*: too long without; that
/// is said once, and the tempo is no longer live. A pulse leads back from there at once when the
/// estimate was good.
///
/// | state        | pulse              | silence of 1.5 periods | of `lostAfter` | other messages |
/// |--------------|--------------------|------------------------|----------------|----------------|
/// | idle         | learning, "found"  | idle                   | idle           | idle           |
/// | learning     | learning or locked | learning               | lost, "lost"   | learning       |
/// | locked       | locked or learning | freewheeling           | lost, "lost"   | locked         |
/// | freewheeling | locked or learning | freewheeling           | lost, "lost"   | freewheeling   |
/// | lost         | locked or learning, "found" | lost          | lost           | lost           |
///
/// The **transport** is in one of three, whatever the lock:
///
/// | state   | Start          | Continue      | Stop    | Song Position | pulse            |
/// |---------|----------------|---------------|---------|---------------|------------------|
/// | stopped | armed at 0     | armed         | ignored | place set     | tempo only       |
/// | armed   | armed at 0     | ignored       | stopped | ignored       | rolling, counted |
/// | rolling | armed at 0     | ignored       | stopped | ignored       | counted          |
///
/// With `repairs` on, pulses lost or doubled *on the way* are made good: when the arrivals stay
/// shifted by a whole number of periods for six pulses, on a grid that a beat of pulses agree on,
/// the count is corrected by that number, and said. Off, the same evidence is only said. A burst after a stall pays back what it
/// owes before six pulses have passed, an uneven leader never keeps a shift so long: neither
/// triggers anything.
///
/// Time is a parameter; the follower never asks what time it is. Between messages, `elapse(to:)`
/// at `deadline` lets a silence be noticed. Everything it says is fetched with `nextReport()`.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, "System Real Time Messages" and "Song Position
/// Pointer".
public struct ClockFollower: ~Copyable, Sendable {
  /// How far the clock can be trusted.
  public enum LockState: UInt8, Hashable, Sendable, CaseIterable {
    /// No pulse has come yet.
    case idle
    /// Pulses come; the estimate cannot be trusted yet.
    case learning
    /// The estimate is trusted.
    case locked
    /// A pulse is overdue; the estimate goes on.
    case freewheeling
    /// Too many are.
    case lost
  }

  private var estimator = TempoEstimator()
  private var reports = ReportQueue()
  private let repairs: Bool
  private let lostAfter: HostTime.Span?

  private var lock = LockState.idle
  private var play = Transport.stopped
  private var lastPulse = HostTime.zero
  /// The number the next pulse will have.
  private var next: Int64 = 0
  private var hasPlace = false
  private var hasSaidUnstarted = false
  /// The pulse of the newest beat told since the place was last set; -1 for none.
  private var toldBeat: Int64 = -1

  /// What is counted: meters and accents.
  private var meters: MeterMap

  /// Pulses counted since the last Start, while rolling.
  public private(set) var pulses: Int64 = 0
  /// Beats told since the last Start.
  public private(set) var beats: Int64 = 0

  /// A follower that has heard nothing yet.
  ///
  /// - Parameters:
  ///   - meters: What is counted; 4/4 when not given.
  ///   - repairs: Whether the count is corrected where pulses were lost or doubled on the way.
  ///   - lostAfter: The silence after which the clock counts as lost, two periods at least; when
  ///     `nil` four periods, but half a second at least.
  public init(
    meters: MeterMap = MeterMap(.common), repairs: Bool = false,
    lostAfter: HostTime.Span? = nil
  ) {
    self.meters = meters
    self.repairs = repairs
    self.lostAfter = lostAfter
  }

  // MARK: - Results

  /// The oldest report not yet taken; up to 16 are kept.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func nextReport() -> FollowerReport? { reports.next() }

  /// How far the clock can be trusted.
  public var state: LockState { @_noLocks mutating get { lock } }

  /// Stopped, armed (a Start or Continue waits for its pulse) or rolling.
  public var transport: Transport { @_noLocks mutating get { play } }

  /// The number of the newest pulse counted, while rolling; else of the next; `nil` as long as no
  /// Start, Continue or Song Position has come.
  public var pulse: Int64? {
    @_noLocks mutating get { hasPlace ? (play.isRolling ? next &- 1 : next) : nil }
  }

  /// Bar, beat and tick of `pulse`.
  public var position: Position? {
    @_noLocks mutating get {
      guard let pulse else { return nil }
      return meters.span(at: Tick(pulse: pulse)).position(of: Tick(pulse: pulse))
    }
  }

  /// Whether the tempo is live: shown as long as the clock is not lost.
  public var isLive: Bool { @_noLocks mutating get { isHeard && estimator.bpm != nil } }

  /// The tempo in quarter notes per minute; `nil` while unknown or lost.
  public var bpm: Double? { @_noLocks mutating get { isHeard ? estimator.bpm : nil } }

  /// The nearest tempo to a thousandth; `nil` while unknown or lost.
  public var tempo: Tempo? { @_noLocks mutating get { isHeard ? estimator.tempo : nil } }

  /// The estimate as a reading, stamped with the newest pulse; `nil` while unknown or lost.
  public var reading: FollowerReport.TempoReading? {
    @_noLocks mutating get { isHeard ? estimator.reading(at: lastPulse) : nil }
  }

  /// Pulses that never came, as `TempoEstimator.missing`.
  public var missing: Int64 { @_noLocks mutating get { estimator.missing } }
  /// Pulses too many, as `TempoEstimator.extra`.
  public var extra: Int64 { @_noLocks mutating get { estimator.extra } }
  /// Pulses far too late, as `TempoEstimator.late`.
  public var late: Int64 { @_noLocks mutating get { estimator.late } }

  /// When pulse number `pulse` of the song belongs, past or to come; `nil` unless rolling with a
  /// tempo.
  ///
  /// For a clock passed on: its pulses go out at these times.
  @_noLocks
  public mutating func time(ofPulse pulse: Int64) -> HostTime? {
    guard play.isRolling, isHeard else { return nil }
    return estimator.time(ahead: pulse &- (next &- 1))
  }

  /// Pulses heard in all, rolling or not.
  public private(set) var heard: Int64 = 0

  /// When the pulse `count` after the newest heard belongs, rolling or not; negative counts look
  /// back; `nil` while that is unknown.
  @_noLocks
  public mutating func time(ahead count: Int64) -> HostTime? {
    isHeard ? estimator.time(ahead: count) : nil
  }

  /// Whether pulses may be sent before they come: in lock and while freewheeling.
  public var predicts: Bool {
    @_noLocks mutating get {
      switch lock {
      case .locked, .freewheeling: true
      case .idle, .learning, .lost: false
      }
    }
  }

  /// The period as estimated, whole nanoseconds; that of 120 BPM while unknown.
  var periodNanoseconds: Int64 {
    @_noLocks mutating get {
      guard let period = estimator.period else {
        return Real.nearest(Resolution.pulseAtOneBPM / 120)
      }
      return Real.nearest(period)
    }
  }

  /// The instant at which `elapse(to:)` next has something to notice; `nil` when nothing can
  /// happen without a message.
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
        // Below two periods every pulse would be a loss and a find.
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

  /// Takes in `message`, stamped `stamp`, from the one source that is followed.
  ///
  /// Messages of other kinds than clock, transport and Song Position only let time pass.
  /// Real-time safe: yes.
  @_noLocks
  public mutating func receive(_ message: MIDIMessage, at stamp: HostTime) {
    elapse(to: stamp)
    switch message {
    case .clock: receivePulse(stamp)
    case .start:
      play = .armed
      moveTo(0)
      pulses = 0
      beats = 0
      reports.append(.start(at: stamp))
    case .continue:
      guard play.isStopped else {
        return reports.append(.ignored(at: stamp, .continue))
      }
      play = .armed
      moveTo(next)
      reports.append(.continue(at: stamp, pulse: next))
    case .stop:
      guard !play.isStopped else { return reports.append(.ignored(at: stamp, .stop)) }
      play = .stopped
      estimator.forgetShift()
      reports.append(.stop(at: stamp, pulse: next))
    case .songPosition(let position):
      guard play.isStopped else {
        return reports.append(.ignored(at: stamp, .position(position)))
      }
      moveTo(position.pulse)
      reports.append(.position(at: stamp, position))
    case .noteOn, .noteOff, .control: break
    }
  }

  /// Lets time pass until `instant`: a clock that has fallen silent is noticed.
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

  /// Sets the number of the next pulse; what the count was held against begins anew.
  @_noLocks
  private mutating func moveTo(_ pulse: Int64) {
    next = pulse
    hasPlace = true
    toldBeat = -1
    estimator.forgetShift()
  }

  // MARK: - Pulses

  @_noLocks
  private mutating func receivePulse(_ stamp: HostTime) {
    let wasHeard = isHeard
    estimator.receive(stamp)
    heard &+= 1
    lastPulse = stamp
    if !wasHeard {
      hasSaidUnstarted = false
      reports.append(.found(at: stamp))
    }
    lock = estimator.isLocked ? .locked : .learning
    if play.isStopped {
      sayUnstarted(stamp)
    } else {
      count(stamp)
    }
    if let reading = estimator.reading(at: stamp) { reports.append(.tempo(reading)) }
  }

  @_noLocks
  private mutating func sayUnstarted(_ stamp: HostTime) {
    guard !hasPlace, !hasSaidUnstarted, case .locked = lock else { return }
    hasSaidUnstarted = true
    reports.append(.withoutStart(at: stamp))
  }

  /// Counts the pulse just received, and tells the beat that has come with it.
  @_noLocks
  private mutating func count(_ stamp: HostTime) {
    play = .rolling
    let last = next &- 1
    next &+= 1
    pulses &+= 1
    let shift = estimator.settledShift
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
    // On the beat; or a repair has stepped over it, then it is told late rather than never. A
    // repair that stepped back does not tell one twice.
    let pulse = beat / Resolution.ticksPerPulse
    guard pulse > last, pulse <= now, pulse > toldBeat else { return }
    toldBeat = pulse
    beats &+= 1
    let position = span.position(of: Tick(beat))
    let time = estimator.time(ahead: pulse &- now)
    reports.append(
      .beat(
        FollowerReport.Beat(
          stamp: stamp, time: time ?? stamp, pulse: pulse, position: position,
          accent: span.pattern.accent(
            ofClick: (position.beat &- 1) &* span.pattern.subdivision),
          bpm: estimator.bpm)))
  }
}
