/// Which changes of the plan have been handled, and what became of the newest of them.
public struct HandledChanges: Sendable {
  /// The number of the last change handled, from 1; 0 before any.
  public private(set) var number: UInt64 = 0
  /// What became of that change; `busy` while it waits to be made.
  public private(set) var outcome = Planner.Outcome.applied
  /// A bit for each of the last 64, the newest lowest: set where the change was ignored.
  private var ignored: UInt64 = 0

  /// No change yet.
  @_noLocks
  public init() {}

  /// Takes in what became of change `number`; after `busy` once more when it has been made.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func note(_ outcome: Planner.Outcome, of number: UInt64) {
    if self.number != number { ignored <<= 1 }
    self.number = number
    self.outcome = outcome
    if case .ignored = outcome { ignored |= 1 }
  }

  /// What became of change `number`; `nil` while it has not been handled.
  ///
  /// Of the last 64 it is exact, and `applied` for those before.
  public func outcome(of number: UInt64) -> Planner.Outcome? {
    guard number <= self.number else { return nil }
    guard number < self.number else { return outcome }
    let age = self.number - number
    return age < 64 && ignored >> age & 1 != 0 ? .ignored : .applied
  }
}
