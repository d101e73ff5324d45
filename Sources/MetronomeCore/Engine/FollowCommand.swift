/// What the main thread asks of the reading thread.
enum FollowCommand: Sendable {
  case follow(PortAddress)
  case silence
  case halt
}
