/// What a session is there for.
public enum Job: Hashable, Sendable, CaseIterable {
  /// It leads with a clock of its own.
  case play
  /// It follows another clock.
  case follow
  /// It measures taps.
  case tap
  /// It shows what arrives.
  case monitor
}
