internal import Glibc

/// The three streams a program is given, one or more of which may have been closed.
public enum StandardStreams {
  /// Takes the numbers of those that are closed, so that nothing opened later gets one of them and
  /// is then read or written as a stream.
  ///
  /// Reading or writing them fails with `EBADF` as before. Call it before anything is opened.
  public static func holdClosedOnes() {
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is given, so it is this one. Opened the wrong way round, it refuses.
      let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      _ = unsafe open("/dev/null", mode)
    }
  }
}
