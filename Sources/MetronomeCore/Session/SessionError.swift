/// Why a leader cannot start.
public enum SessionError: Error, Sendable {
  /// The sequencer refuses.
  case sequencer(ALSAError)
  /// A destination cannot be found or used.
  case address(AddressError)
  /// Linux refuses.
  case system(SystemError)
}
