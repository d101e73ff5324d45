/// The way of dispatch taken, and why.
public struct DispatchSelection: Hashable, Sendable {
  /// `precise` or `queued`.
  public let mode: DispatchMode
  /// The reason, in words that can follow the way after a colon.
  public let reason: String
  /// What is not as it should be for this way; one line each, with a remedy.
  public let warnings: [String]
}
