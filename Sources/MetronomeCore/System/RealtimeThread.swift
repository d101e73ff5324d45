internal import CLinux
internal import Glibc
internal import MIDIClock

/// A thread with real-time scheduling that runs one function and returns its result.
///
/// Call `join` exactly once; the value is not copyable. If it is released without a join, the
/// thread is detached.
@safe public struct RealtimeThread<Output: ~Copyable & Sendable>: ~Copyable, Sendable {
  private let thread: pthread_t
  // Retained manually, because `discard` allows only trivial properties. Safe to share: see `Cell`.
  private let cell: Unmanaged<Cell<Output>>

  /// The thread's scheduling; known when `start` returns.
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
  /// Before `body` starts, the thread is prepared as follows:
  ///
  /// - its `name` is set (`ps -L` shows the first 15 bytes);
  /// - it has a signal stack for the crash handler;
  /// - its timer slack is 1 ns instead of the default 50 us;
  /// - it has real-time scheduling at `priority` (1 to 99; `nil` for ordinary scheduling), if
  ///   permitted. A priority above the user's limit is reduced to the limit. Refusal is not an
  ///   error: see `scheduling`;
  /// - 256 KiB of its stack have been touched, so that they cause no page faults later.
  ///
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

  /// Waits for the thread to end and returns the result of its body; source: `pthread_join`.
  @discardableResult
  public consuming func join() -> Output {
    pthread_join(thread, nil)
    let cell = unsafe self.cell.takeRetainedValue()
    discard self
    return cell.take()
  }
}

/// Holds the result of a thread.
///
/// Unchecked: the thread writes it before it ends, and only `join` reads it, after `pthread_join`
/// has returned; each is one thread, and the join orders them.
private final class Cell<Output: ~Copyable>: @unchecked Sendable {
  private var output: Output?

  func put(_ output: consuming Output) { self.output = consume output }

  func take() -> Output {
    guard let output = output.take() else { preconditionFailure("joined an unfinished thread") }
    return output
  }
}

/// The thread's job as passed through C, which has no generics.
private class ThreadMain {
  func run() {}
}

/// Not shared concurrently: `start` creates the job, the new thread runs it, and `start`
/// reads `scheduling` only after `ready` has been rung.
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

  /// Requests `priority`, then the limit if `priority` is above it.
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
