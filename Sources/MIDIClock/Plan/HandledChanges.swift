/// The changes of the plan that have been handled, with the outcomes of the newest 64.
public struct HandledChanges: Sendable {
  /// The number of the last change handled, from 1; 0 before any.
  public private(set) var number: UInt64 = 0
  /// The outcome of that change; `busy` while it waits.
  public private(set) var outcome = Planner.Outcome.applied
  /// A bit for each of the last 64, the newest lowest: set where the change was ignored.
  private var ignored: UInt64 = 0

  /// No change yet.
  @_noLocks
  public init() {}

  /// Records the outcome of change `number`; after `busy`, call it again with the final one.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func note(_ outcome: Planner.Outcome, of number: UInt64) {
    if self.number != number { ignored <<= 1 }
    self.number = number
    self.outcome = outcome
    if case .ignored = outcome { ignored |= 1 }
  }

  /// The outcome of change `number`; `nil` until it has been handled.
  ///
  /// Exact for the last 64 changes; `applied` for older ones.
  public func outcome(of number: UInt64) -> Planner.Outcome? {
    guard number <= self.number else { return nil }
    guard number < self.number else { return outcome }
    let age = self.number - number
    return age < 64 && ignored >> age & 1 != 0 ? .ignored : .applied
  }
}
