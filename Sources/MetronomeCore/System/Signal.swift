internal import CLinux
internal import Glibc

/// A signal that the program handles.
public enum Signal: Hashable, Sendable, CaseIterable {
  /// Ctrl-C; `SIGINT`.
  case interrupt
  /// A request to end; `SIGTERM`.
  case terminate
  /// The terminal was closed; `SIGHUP`.
  case hangUp
  /// Ctrl-Z; `SIGTSTP`.
  case suspend
  /// Resumed; `SIGCONT`.
  case resume
  /// The terminal was resized; `SIGWINCH`.
  case windowChange
  /// The reader of a pipe is gone; `SIGPIPE`. The write itself fails with `EPIPE`.
  case brokenPipe

  /// The signal number; source: `signal(7)`.
  public var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .suspend: SIGTSTP
    case .resume: SIGCONT
    case .windowChange: SIGWINCH
    case .brokenPipe: SIGPIPE
    }
  }

  /// Whether the signal was ignored at start-up, like `SIGHUP` under `nohup`.
  public var isIgnored: Bool { midimetro_is_ignored(number) != 0 }
}
