/// A change that was asked for, and what became of it.
public struct ChangeOutcome: Hashable, Sendable {
  /// The change.
  public let change: PlanChange
  /// What became of it; `busy` when it has to wait.
  public let outcome: Planner.Outcome

  /// What became of `change`.
  public init(_ change: PlanChange, _ outcome: Planner.Outcome) {
    self.change = change
    self.outcome = outcome
  }
}
