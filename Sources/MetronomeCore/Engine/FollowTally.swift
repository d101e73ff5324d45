public import MIDIClock

/// Counts of a follow session, for the summary at the end.
public struct FollowTally: Sendable {
  /// Pulses counted while rolling since the last Start.
  public var pulses: Int64 = 0
  /// Beats since the last Start.
  public var beats: Int64 = 0
  /// Pulses that never arrived.
  public var missing: Int64 = 0
  /// Surplus pulses.
  public var extra: Int64 = 0

  /// A tally without any input.
  public init() {}

  /// The counts of `follower`.
  public init(_ follower: inout ClockFollower) {
    pulses = follower.pulses
    beats = follower.beats
    missing = follower.missing
    extra = follower.extra
  }
}
