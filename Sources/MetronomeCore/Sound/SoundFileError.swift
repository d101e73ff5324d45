/// Why a compressed sound file cannot be written.
public enum SoundFileError: Error, Hashable, Sendable {
  /// The library cannot be opened; the loader's reason.
  case library(String)
  /// This build of the library does not write the format.
  case format
  /// A call that failed, by the name of the C function, and what it said.
  case failed(String, String)
  /// A system call that failed.
  case system(SystemError)
}

extension SoundFileError: CustomStringConvertible {
  /// One line: what, where, what to do.
  public var description: String {
    switch self {
    case .library(let reason):
      "libsndfile cannot be opened (\(reason)); install it: sudo apt install libsndfile1, or write"
        + " a .wav"
    case .format: "libsndfile here does not write this format; write a .wav"
    case .failed(let function, let said): "\(function): \(said)"
    case .system(let error): "\(error)"
    }
  }
}
