/// The number of one of our own ports.
public struct PortNumber: Hashable, Sendable {
  /// The number within our client, 0 to 255.
  public let value: UInt8

  /// Our port numbered `value`.
  @_noLocks
  public init(_ value: UInt8) { self.value = value }
}
