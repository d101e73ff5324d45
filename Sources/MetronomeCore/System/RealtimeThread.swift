internal import CLinux
internal import Glibc
internal import MIDIClock

/// A thread with a name, one job and one state, made ready for punctual work.
///
/// Whoever starts it must join it: the value cannot be copied, and letting it go unjoined
/// detaches the thread.
@safe public struct RealtimeThread<Output: ~Copyable & Sendable>: ~Copyable, Sendable {
  private let thread: pthread_t
  // Held by hand, because only trivial properties allow `discard`. Sound to share: see `Cell`.
  private let cell: Unmanaged<Cell<Output>>

  /// How it is scheduled; known before `start` returns.
  public let scheduling: Scheduling

  private init(thread: pthread_t, cell: Cell<Output>, scheduling: Scheduling) {
    self.thread = thread
    unsafe self.cell = .passRetained(cell)
    self.scheduling = scheduling
  }

  deinit {
    pthread_detach(thread)
    unsafe cell.release()
  }

  /// Starts a thread that runs `body` on `state`.
  ///
  /// Before `body` begins the thread has its `name` (the first 15 bytes show in `ps -L`), a stack
  /// for the handler of a crash, 1 ns of timer slack instead of the ordinary 50 us, real-time
  /// scheduling at `priority` (1 to 99; `nil` leaves it ordinary) where that is granted, and 256 KiB
  /// of its stack touched, so that no page of it is missing later. A priority above the user's limit
  /// becomes the limit; one that is refused altogether is no error: see `scheduling`.
  /// Source: `pthread_create`, `pthread_setschedparam`, `PR_SET_TIMERSLACK`.
  public static func start<State: ~Copyable & Sendable>(
    name: String, priority: Int32? = Scheduling.defaultPriority, state: consuming State,
    body: @escaping @Sendable (consuming State) -> Output
  ) throws(SystemError) -> RealtimeThread<Output> {
    let job = Job(name: name, priority: priority, state: state, body: body)
    let opaque = unsafe Unmanaged<ThreadMain>.passRetained(job)
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, nil, runThread, opaque.toOpaque())
    guard result == 0 else {
      unsafe opaque.release()
      throw SystemError(operation: "pthread_create", code: result)
    }
    while !job.ready.wait(until: .distantFuture) {}
    return RealtimeThread(thread: thread, cell: job.cell, scheduling: job.scheduling)
  }

  /// Waits until the thread has ended and returns what its body did; source: `pthread_join`.
  @discardableResult
  public consuming func join() -> Output {
    pthread_join(thread, nil)
    let cell = unsafe self.cell.takeRetainedValue()
    discard self
    return cell.take()
  }
}

/// Where a thread leaves what it made.
///
/// Unchecked: the thread writes it before it ends, and `join` alone reads it, after
/// `pthread_join` has returned; each is one thread and the join orders them.
private final class Cell<Output: ~Copyable>: @unchecked Sendable {
  private var output: Output?

  func put(_ output: consuming Output) { self.output = consume output }

  func take() -> Output {
    guard let output = output.take() else { preconditionFailure("joined an unfinished thread") }
    return output
  }
}

/// What a new thread gets through C, which knows no generics.
private class ThreadMain {
  func run() {}
}

/// Unchecked by being used in turn: `start` makes it, the new thread runs it, and `start` reads
/// `scheduling` only after `ready` has been rung.
private final class Job<State: ~Copyable & Sendable, Output: ~Copyable & Sendable>: ThreadMain {
  let ready = Doorbell()
  let cell = Cell<Output>()
  private(set) var scheduling = Scheduling.ordinary
  private let name: String
  private let priority: Int32?
  private var state: State?
  private let body: @Sendable (consuming State) -> Output

  init(
    name: String, priority: Int32?, state: consuming State,
    body: @escaping @Sendable (consuming State) -> Output
  ) {
    self.name = name
    self.priority = priority
    self.state = consume state
    self.body = body
  }

  override func run() {
    unsafe _ = midimetro_name_thread(name)
    let signalStack = unsafe midimetro_take_signal_stack()
    defer { unsafe midimetro_leave_signal_stack(signalStack) }
    _ = midimetro_set_timer_slack(1)
    if let priority { scheduling = schedule(at: priority) }
    prefaultStack()
    ready.ring()
    guard let state = state.take() else { return }
    cell.put(body(state))
  }

  /// Asks for `priority`, and when that is above the limit, for the limit.
  private func schedule(at priority: Int32) -> Scheduling {
    let limit = Int32(clamping: midimetro_limit_of_rtprio())
    var refusal: Int32 = EPERM
    for attempt in [priority, min(priority, limit)] where attempt > 0 {
      var parameters = sched_param()
      parameters.sched_priority = attempt
      let result = unsafe pthread_setschedparam(
        pthread_self(), midimetro_fifo_policy(), &parameters)
      if result == 0 { return .realtime(priority: attempt) }
      refusal = result
    }
    return .refused(refusal)
  }

  private func prefaultStack() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 256 * 1_024, alignment: 16) { stack in
      for offset in stride(from: 0, to: stack.count, by: 1_024) {
        unsafe stack.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
      }
    }
  }
}

private func runThread(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let opaque = unsafe opaque else { return nil }
  unsafe Unmanaged<ThreadMain>.fromOpaque(opaque).takeRetainedValue().run()
  return nil
}
