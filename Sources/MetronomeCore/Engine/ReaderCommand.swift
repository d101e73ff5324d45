/// What the main thread asks of the reading thread.
enum ReaderCommand: Sendable {
  case follow(PortAddress)
  case silence
  case halt
}
