internal import CLinux
internal import Glibc

/// The signals of the process as input of the main poll loop, instead of interruptions.
///
/// Open it on the main thread before any other thread starts: threads inherit the blocked
/// signals, so that none but the loop ever answers one.
public struct SignalInbox: ~Copyable, Sendable {
  /// Readable while a signal waits.
  public let descriptor: Int32

  private init(adopting descriptor: Int32) { self.descriptor = descriptor }

  /// The signals stay blocked, so that none strikes between closing and the end of the process.
  deinit { close(descriptor) }

  /// Blocks every `Signal` in this thread and those it starts from now on, and opens the inbox.
  ///
  /// A hang-up that was ignored when the program started (`nohup`) stays ignored. The others are
  /// answered even then, such as the interrupt of a program that a script has put in the
  /// background: a blocked signal waits for us whether ignored or not.
  /// Source: `pthread_sigmask`, `signalfd`.
  public static func open() throws(SystemError) -> SignalInbox {
    let answersHangUp = !Signal.hangUp.isIgnored
    var set = set(Signal.allCases.filter { $0 != .hangUp || answersHangUp })
    let blocked = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard blocked == 0 else { throw SystemError(operation: "pthread_sigmask", code: blocked) }
    let descriptor = unsafe midimetro_signalfd(&set)
    guard descriptor >= 0 else { throw SystemError(operation: "signalfd", code: errno) }
    return SignalInbox(adopting: descriptor)
  }

  /// The next signal that has come; `nil` when there is none now.
  ///
  /// Several of one kind that come before the loop looks are one.
  public borrowing func next() -> Signal? {
    let number = midimetro_signalfd_read(descriptor)
    return Signal.allCases.first { $0.number == number }
  }

  /// Does to the process what `signal` does to one that never asked for signals.
  ///
  /// After `.suspend` it returns when the process has been resumed, with the signal blocked as
  /// before; after `.interrupt`, `.terminate` and `.hangUp` it does not return. A suspend does
  /// nothing where no shell could resume us (an orphaned process group).
  public static func takeDefaultAction(of signal: Signal) {
    var set = set([signal])
    _ = Glibc.signal(signal.number, SIG_DFL)
    raise(signal.number)
    // The signal waits for this thread alone, and strikes here.
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
