/// The dispatch mode chosen, and why.
public struct DispatchSelection: Hashable, Sendable {
  /// Why a mode was chosen.
  public enum Reason: Hashable, Sendable {
    /// The user requested it.
    case askedFor
    /// Our own thread has this real-time priority.
    case priority(Int32)
    /// Our own thread is refused real-time priority.
    case priorityRefused(SystemError)
    /// Without a sequencer there is no queue.
    case noSequencer
  }

  /// Either `precise` or `queued`.
  public let mode: DispatchMode
  /// Why it was chosen.
  public let reason: Reason
  /// Problems with this mode.
  public let warnings: [StartWarning]

  /// A selection with these values.
  public init(mode: DispatchMode, reason: Reason, warnings: [StartWarning]) {
    self.mode = mode
    self.reason = reason
    self.warnings = warnings
  }
}
