internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// What listens to a log being read.
protocol LogListener: ~Copyable {
  /// Takes in one message and adds what is to be said about it to `lines`.
  mutating func take(_ line: LogLine, _ lines: inout [String])
  /// Adds what is to be said at the end.
  mutating func end(_ lines: inout [String])
}
