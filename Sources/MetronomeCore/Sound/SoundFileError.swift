/// Why a compressed sound file cannot be written.
public enum SoundFileError: Error, Hashable, Sendable {
  /// The library cannot be loaded; the loader's reason.
  case library(String)
  /// This build of the library does not support the format.
  case format
  /// A call failed; the name of the C function, and its message.
  case failed(String, String)
  /// A system call that failed.
  case system(SystemError)
}

extension SoundFileError: CustomStringConvertible {
  /// What is wrong and what to do, on one line.
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
