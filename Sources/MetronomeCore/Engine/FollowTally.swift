public import MIDIClock

/// What a reader did, for the summary at the end.
public struct FollowTally: Sendable {
  /// Pulses counted while rolling since the last Start.
  public var pulses: Int64 = 0
  /// Beats since the last Start.
  public var beats: Int64 = 0
  /// Pulses that never came.
  public var missing: Int64 = 0
  /// Pulses too many.
  public var extra: Int64 = 0

  /// Nothing heard.
  public init() {}

  /// What `follower` has counted.
  public init(_ follower: inout ClockFollower) {
    pulses = follower.pulses
    beats = follower.beats
    missing = follower.missing
    extra = follower.extra
  }
}
