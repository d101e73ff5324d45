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
