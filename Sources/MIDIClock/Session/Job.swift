/// The purpose of a session.
public enum Job: Hashable, Sendable, CaseIterable {
  /// Leads with its own clock.
  case play
  /// Follows an external clock.
  case follow
  /// Measures taps.
  case tap
  /// Shows incoming messages.
  case monitor
}
