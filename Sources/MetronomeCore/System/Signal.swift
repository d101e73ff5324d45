internal import CLinux
internal import Glibc

/// A signal that the program answers.
public enum Signal: Hashable, Sendable, CaseIterable {
  /// Ctrl-C; `SIGINT`.
  case interrupt
  /// Asked to end; `SIGTERM`.
  case terminate
  /// The terminal has gone; `SIGHUP`.
  case hangUp
  /// Ctrl-Z; `SIGTSTP`.
  case suspend
  /// Running again; `SIGCONT`.
  case resume
  /// The terminal has another size; `SIGWINCH`.
  case windowChange
  /// Nobody reads what we write; `SIGPIPE`. The write itself fails with `EPIPE`.
  case brokenPipe

  /// Its number; source: `signal(7)`.
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

  /// Whether it was ignored when the program started, as a hang-up is by `nohup`.
  public var isIgnored: Bool { midimetro_is_ignored(number) != 0 }
}
