/// What a follower has to say, as values in the order it happened.
public enum FollowerReport: Hashable, Sendable {
  /// A clock has appeared, or is back after it was lost.
  case found(at: HostTime)
  /// The clock is locked, but no Start, Continue or Song Position has come yet: there is a tempo
  /// and no position.
  ///
  /// Said once for each clock found.
  case withoutStart(at: HostTime)
  /// Start: the next pulse is pulse 0.
  case start(at: HostTime)
  /// Continue: the next pulse is number `pulse`.
  case `continue`(at: HostTime, pulse: Int64)
  /// Stop: the place is kept; pulse number `pulse` would be the next.
  case stop(at: HostTime, pulse: Int64)
  /// A Song Position that holds, received while stopped.
  case position(at: HostTime, SongPosition)
  /// A beat has come.
  case beat(Beat)
  /// The tempo as estimated with one more pulse; the receiver of reports decides how often to
  /// show it.
  case tempo(TempoReading)
  /// No pulse for too long; `at` is the instant that became so.
  case lost(at: HostTime)
  /// Pulses were lost (above 0) or doubled (below 0) on the way, and the count has been corrected
  /// by that many.
  case repaired(at: HostTime, pulses: Int64)
  /// The same evidence while repair is off: the count stays the standard's, and is probably wrong
  /// by that many.
  case suspected(at: HostTime, pulses: Int64)
  /// A message that changes nothing in the present state.
  case ignored(at: HostTime, Redundancy)

  /// Messages that mean nothing in the state they come in.
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
  /// A beat of the song, told by the count of pulses.
  public struct Beat: Hashable, Sendable {
    /// When its pulse was stamped.
    public var stamp: HostTime
    /// Where the clock's own grid puts it, jitter filtered out.
    public var time: HostTime
    /// Its pulse, counted from 0 at the top of the song.
    public var pulse: Int64
    /// Bar and beat.
    public var position: Position
    /// How strong it is.
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

  /// The tempo as it stands after a pulse.
  public struct TempoReading: Hashable, Sendable {
    /// When the pulse was stamped.
    public var stamp: HostTime
    /// Quarter notes per minute.
    public var bpm: Double
    /// That of the last interval alone; `nil` when it is out of range, as in a burst.
    public var rawBPM: Double?
    /// Standard deviation of `bpm`, quarter notes per minute.
    public var uncertainty: Double
    /// Standard deviation of one stamp.
    public var jitter: HostTime.Span
    /// How many pulses it was drawn from, 1 to 1536.
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
