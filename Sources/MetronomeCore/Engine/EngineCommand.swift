internal import MIDIClock

/// A command from the main thread to the engine.
enum EngineCommand: Sendable {
  /// Changes the plan; changes are numbered from 1.
  case change(PlanChange, number: UInt64)
  case unplanned(UnplannedTask)
  case halt
}
