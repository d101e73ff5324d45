public import MIDIClock

/// A report from the follower's thread to the main thread.
public enum FollowReport: Hashable, Sendable {
  /// A report of the follower.
  case follower(FollowerReport)
  /// The first port that sent a clock was adopted as the source.
  case taken(PortAddress)
  /// Another port also sends a clock and is ignored; reported once for each.
  case other(PortAddress)
  /// Input was lost: the position is uncertain until the next Start or Song Position.
  case overrun
  /// The kernel refused a message of a route; reported once until one succeeds again.
  case refused(route: Int, code: Int32)
  /// The thread has ended.
  case finished
}
