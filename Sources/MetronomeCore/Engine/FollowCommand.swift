/// A command from the main thread to the follower's thread.
enum FollowCommand: Sendable {
  case follow(PortAddress)
  /// Whether anything is connected to our ports, and so whether the timing of what we send matters.
  case heard(Bool)
  case silence
  case unplanned(UnplannedTask)
  case halt
}
