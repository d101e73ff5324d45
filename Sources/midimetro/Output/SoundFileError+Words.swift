internal import MetronomeCore

extension SoundFileError: CustomStringConvertible {
  /// What is wrong and what to do, on one line.
  var description: String {
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
