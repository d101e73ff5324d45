/// The way of dispatch taken, and why.
public struct DispatchSelection: Hashable, Sendable {
  /// Why it was taken.
  public enum Reason: Hashable, Sendable {
    /// The user named it.
    case askedFor
    /// Our own thread has this real-time priority.
    case priority(Int32)
    /// Our own thread is refused real-time priority.
    case priorityRefused(SystemError)
    /// There is no queue where there is no sequencer.
    case noSequencer
  }

  /// `precise` or `queued`.
  public let mode: DispatchMode
  /// Why.
  public let reason: Reason
  /// What is not as it should be for this way.
  public let warnings: [StartWarning]

  /// A selection of its parts.
  public init(mode: DispatchMode, reason: Reason, warnings: [StartWarning]) {
    self.mode = mode
    self.reason = reason
    self.warnings = warnings
  }
}
