/// The wires between the reading thread and the main thread.
struct FollowWires: Sendable {
  let commands: HandoverQueue<FollowCommand>
  let reports: HandoverQueue<FollowReport>
  /// What the sequencer announces; the main thread keeps the connections.
  let announcements: HandoverQueue<IncomingEvent>
  /// Notified by the main thread after a command.
  let doorbell: Notifier
  /// Notified by the reader after a report or an announcement.
  let notifier: Notifier
}
