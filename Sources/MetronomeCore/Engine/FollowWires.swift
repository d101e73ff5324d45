/// The wires between the reading thread and the main thread.
struct FollowWires: Sendable {
  let commands: HandoverQueue<FollowCommand>
  let reports: HandoverQueue<FollowReport>
  /// Notified by the main thread after a command.
  let doorbell: Notifier
  /// Notified by the reader after a report.
  let notifier: Notifier
}
