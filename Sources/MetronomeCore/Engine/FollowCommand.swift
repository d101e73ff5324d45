/// What the main thread asks of the reading thread.
enum FollowCommand: Sendable {
  case follow(PortAddress)
  /// Whether anybody is connected to our ports, and so whether the time of what is sent matters.
  case heard(Bool)
  case silence
  case unplanned(UnplannedTask)
  case halt
}
