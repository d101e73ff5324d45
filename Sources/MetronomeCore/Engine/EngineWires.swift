internal import MIDIClock

/// The connections between the engine's thread and the main thread.
struct EngineWires: Sendable {
  let commands: HandoverQueue<EngineCommand>
  let reports: HandoverQueue<EngineReport>
  /// Published by the engine after changes and reports, before the notifier.
  let snapshot: SnapshotCell<PlanSnapshot>
  /// Rung by the main thread after a command.
  let doorbell: Doorbell
  /// Notified by the engine after a report.
  let notifier: Notifier
}
