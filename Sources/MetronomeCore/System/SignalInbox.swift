internal import CLinux
internal import Glibc

/// Delivers the process's signals to the main poll loop, instead of through handlers.
///
/// Open it on the main thread before any other thread starts: threads inherit the blocked signals,
/// so only the loop receives them.
public struct SignalInbox: ~Copyable, Sendable {
  /// Readable while a signal is pending.
  public let descriptor: Int32

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  /// The signals stay blocked, so that none is delivered between closing and the end of the
  /// process.
  deinit { close(descriptor) }

  /// Blocks every `Signal` in this thread and in those it starts later, and opens the inbox.
  ///
  /// A `SIGHUP` that was ignored at start-up (`nohup`) stays ignored. Other ignored signals are
  /// received, for example the `SIGINT` of a program that a script runs in the background: a
  /// blocked signal becomes pending whether ignored or not. Source: `pthread_sigmask`, `signalfd`.
  public static func open() throws(SystemError) -> SignalInbox {
    let answersHangUp = !Signal.hangUp.isIgnored
    var set = set(Signal.allCases.filter { $0 != .hangUp || answersHangUp })
    let blocked = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard blocked == 0 else { throw SystemError(operation: "pthread_sigmask", code: blocked) }
    let descriptor = unsafe midimetro_signalfd(&set)
    guard descriptor >= 0 else { throw SystemError(operation: "signalfd", code: errno) }
    return SignalInbox(adopting: descriptor)
  }

  /// The next pending signal; `nil` if there is none.
  ///
  /// Several signals of one kind before the loop polls are merged into one.
  public borrowing func next() -> Signal? {
    let number = midimetro_signalfd_read(descriptor)
    return Signal.allCases.first { $0.number == number }
  }

  /// Performs the default action of `signal` on the process.
  ///
  /// After `.suspend` it returns when the process has been resumed, with the signal blocked as
  /// before; after `.interrupt`, `.terminate` and `.hangUp` it does not return. A suspend has no
  /// effect if no shell could resume the process (an orphaned process group).
  public static func takeDefaultAction(of signal: Signal) {
    var set = set([signal])
    _ = Glibc.signal(signal.number, SIG_DFL)
    raise(signal.number)
    // The signal is pending for this thread only, and is delivered here.
    unsafe _ = pthread_sigmask(SIG_UNBLOCK, &set, nil)
    unsafe _ = pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private static func set(_ signals: [Signal]) -> sigset_t {
    var set = sigset_t()
    unsafe _ = sigemptyset(&set)
    for signal in signals { unsafe _ = sigaddset(&set, signal.number) }
    return set
  }
}
