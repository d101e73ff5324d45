/// The wires between the reading thread and the main thread.
struct ReaderWires: Sendable {
  let commands: HandoverQueue<ReaderCommand>
  let reports: HandoverQueue<ReaderReport>
  /// What the sequencer announces; the main thread keeps the connections.
  let announcements: HandoverQueue<IncomingEvent>
  /// Notified by the main thread after a command.
  let doorbell: Notifier
  /// Notified by the reader after a report or an announcement.
  let notifier: Notifier
}
