/// A requested change and its outcome.
public struct ChangeOutcome: Hashable, Sendable {
  /// The change.
  public let change: PlanChange
  /// Its outcome; `busy` if it has to wait.
  public let outcome: Planner.Outcome

  /// Creates the outcome of `change`.
  public init(_ change: PlanChange, _ outcome: Planner.Outcome) {
    self.change = change
    self.outcome = outcome
  }
}
