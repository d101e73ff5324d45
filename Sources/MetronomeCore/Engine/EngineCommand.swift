internal import MIDIClock

/// What the main thread asks of the engine.
enum EngineCommand: Sendable {
  case change(PlanChange)
  case unplanned(UnplannedTask)
  case halt
}
