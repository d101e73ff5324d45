internal import MIDIClock

/// What the main thread asks of the engine.
enum EngineCommand: Sendable {
  /// A change of the plan, with its number, from 1.
  case change(PlanChange, number: UInt64)
  case unplanned(UnplannedTask)
  case halt
}
