/// The connections between the follower's thread and the main thread.
struct FollowWires: Sendable {
  let commands: HandoverQueue<FollowCommand>
  let reports: HandoverQueue<FollowReport>
  /// Notified by the main thread after a command.
  let doorbell: Notifier
  /// Notified by the follower's thread after a report.
  let notifier: Notifier
}
