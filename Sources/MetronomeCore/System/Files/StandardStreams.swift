internal import Glibc

/// The three standard streams, any of which may be closed at start-up.
public enum StandardStreams {
  /// Occupies the descriptors of closed standard streams, so that a file opened later does not get
  /// one of them and is then used as a stream.
  ///
  /// Reading or writing them still fails with `EBADF`. Call this before opening anything.
  public static func holdClosedOnes() {
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // `open` returns the lowest free number, which is this one. The wrong mode makes it fail as
      // before.
      let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      _ = unsafe open("/dev/null", mode)
    }
  }
}
