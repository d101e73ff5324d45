/// Why a session cannot start.
public enum SessionError: Error, Sendable {
  /// A sequencer call failed.
  case sequencer(ALSAError)
  /// A destination or source cannot be found or used.
  case address(AddressError)
  /// A system call failed.
  case system(SystemError)
}
