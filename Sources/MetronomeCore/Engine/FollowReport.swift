public import MIDIClock

/// What the reading thread tells the main thread.
public enum FollowReport: Hashable, Sendable {
  /// What the follower says.
  case follower(FollowerReport)
  /// The first port that clocked has been taken as the source.
  case taken(PortAddress)
  /// Another port clocks too; it is ignored. Said once for each.
  case other(PortAddress)
  /// Input was lost: the position is uncertain until the next Start or Song Position.
  case overrun
  /// The kernel refused a message of a route; said once until one goes through again.
  case refused(route: Int, code: Int32)
  /// The reader has ended.
  case finished
}
