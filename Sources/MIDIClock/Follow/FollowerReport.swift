/// What a follower reports, in the order it happened.
public enum FollowerReport: Hashable, Sendable {
  /// A clock has appeared, or has come back after it was lost.
  case found(at: HostTime)
  /// The clock is locked, but no Start, Continue or Song Position has arrived: the tempo is known,
  /// the position is not.
  ///
  /// Reported once for each clock found.
  case withoutStart(at: HostTime)
  /// Start: the next pulse is pulse 0.
  case start(at: HostTime)
  /// Continue: the next pulse is number `pulse`.
  case `continue`(at: HostTime, pulse: Int64)
  /// Stop: the position is kept; pulse number `pulse` is the next.
  case stop(at: HostTime, pulse: Int64)
  /// A Song Position that takes effect, received while stopped.
  case position(at: HostTime, SongPosition)
  /// A beat.
  case beat(Beat)
  /// The tempo after one more pulse; the consumer decides how often to show it.
  case tempo(TempoReading)
  /// The clock fell silent for too long; `at` is the instant the limit was reached.
  case lost(at: HostTime)
  /// Pulses were lost (above 0) or doubled (below 0) in transit, and the count has been corrected
  /// by this number.
  case repaired(at: HostTime, pulses: Int64)
  /// The same evidence with repairs off: the count follows the specification, and is probably wrong
  /// by this number.
  case suspected(at: HostTime, pulses: Int64)
  /// A message with no effect in the current state.
  case ignored(at: HostTime, Redundancy)

  /// Messages with no effect in the state they arrive in.
  public enum Redundancy: Hashable, Sendable {
    /// Continue while rolling.
    case `continue`
    /// Stop while stopped.
    case stop
    /// Song Position while rolling: noted, not followed.
    case position(SongPosition)
  }
}

extension FollowerReport {
  /// A beat of the song, derived from the pulse count.
  public struct Beat: Hashable, Sendable {
    /// The stamp of its pulse.
    public var stamp: HostTime
    /// Its time on the clock's own grid, with the jitter filtered out.
    public var time: HostTime
    /// The number of its pulse, from 0 at the top of the song.
    public var pulse: Int64
    /// Bar and beat.
    public var position: Position
    /// Its accent.
    public var accent: Accent
    /// Quarter notes per minute; `nil` while unknown.
    public var bpm: Double?

    @_noLocks
    init(
      stamp: HostTime, time: HostTime, pulse: Int64, position: Position, accent: Accent,
      bpm: Double?
    ) {
      self.stamp = stamp
      self.time = time
      self.pulse = pulse
      self.position = position
      self.accent = accent
      self.bpm = bpm
    }
  }

  /// The tempo as estimated after a pulse.
  public struct TempoReading: Hashable, Sendable {
    /// The stamp of the pulse.
    public var stamp: HostTime
    /// Quarter notes per minute.
    public var bpm: Double
    /// The tempo of the last interval alone; `nil` when out of range, as in a burst.
    public var rawBPM: Double?
    /// Standard deviation of `bpm`, in quarter notes per minute.
    public var uncertainty: Double
    /// Standard deviation of one stamp.
    public var jitter: HostTime.Span
    /// The number of pulses in the estimate, 1 to 1536.
    public var windowLength: Int64

    @_noLocks
    init(
      stamp: HostTime, bpm: Double, rawBPM: Double?, uncertainty: Double, jitter: HostTime.Span,
      windowLength: Int64
    ) {
      self.stamp = stamp
      self.bpm = bpm
      self.rawBPM = rawBPM
      self.uncertainty = uncertainty
      self.jitter = jitter
      self.windowLength = windowLength
    }
  }
}
