/// The number of a sequencer queue.
public struct QueueNumber: Hashable, Sendable {
  /// The number, unique on this machine.
  public let value: UInt8

  /// The queue numbered `value`.
  @_noLocks
  public init(_ value: UInt8) { self.value = value }
}
