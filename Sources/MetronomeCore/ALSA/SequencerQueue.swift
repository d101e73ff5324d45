internal import CALSASeq
internal import Glibc
public import MIDIClock

/// A running sequencer queue: the kernel delivers events scheduled on it, and stamps input.
///
/// One per process is enough. One thread at a time uses it; it keeps its `Sequencer` alive.
/// Scheduling, cancelling and counting are real-time safe: one system call each, on records
/// allocated when the queue was opened. Closing the queue removes the events still waiting.
@safe public struct SequencerQueue: ~Copyable, Sendable {
  /// The relation of the queue's time to the clock.
  public struct Calibration: Hashable, Sendable {
    /// The host time of the queue's zero.
    public let origin: HostTime
    /// Half the duration of the read that `origin` comes from: its maximum error in either
    /// direction.
    ///
    /// The minimum latency of the kernel's timer interrupts, some microseconds, comes on top; no
    /// program can measure it.
    public let uncertainty: HostTime.Span
  }

  /// The queue's number, for ports that it is to stamp.
  public let number: QueueNumber
  /// The timer that drives it; `nil` if the kernel does not report it (no `/proc/asound`).
  public private(set) var timer: QueueTimer?
  /// Whether its timer was seen to tick; a timer bound to an idle sound card never does.
  public private(set) var isTicking = false
  /// The relation to host time, as last measured.
  public private(set) var calibration: Calibration

  private let sequencer: Sequencer
  // Safe to share as `Sequencer` explains; the two records below belong to the owner of the queue.
  private nonisolated(unsafe) let handle: OpaquePointer
  private nonisolated(unsafe) let removal: OpaquePointer
  private nonisolated(unsafe) let status: OpaquePointer

  private init(
    number: QueueNumber, sequencer: Sequencer, removal: OpaquePointer, status: OpaquePointer
  ) {
    self.number = number
    self.sequencer = sequencer
    unsafe self.handle = sequencer.handle
    unsafe self.removal = removal
    unsafe self.status = status
    calibration = Calibration(origin: .zero, uncertainty: .seconds(1))
  }

  deinit {
    // Freeing a queue stops it and drops the events waiting on it.
    unsafe _ = snd_seq_free_queue(handle, Int32(number.value))
    unsafe snd_seq_remove_events_free(removal)
    unsafe snd_seq_queue_status_free(status)
  }

  /// The finest resolution the kernel allows a queue, per second.
  ///
  /// Source: `MAX_FREQUENCY` in `sound/core/seq/seq_timer.c`.
  public static var maximumResolution: UInt32 { 6_250 }

  /// Creates a queue with the finest available timer, starts it and measures its time.
  ///
  /// Takes about ten milliseconds, and up to half a second if the timer starts late or never. A
  /// coarser timer than requested is not an error: see `timer`. From here on the sequencer converts
  /// the stamps of this queue to host times. Source: `snd_seq_alloc_named_queue`,
  /// `snd_seq_set_queue_timer`, `snd_seq_event_output_direct` with a START for the queue.
  public static func open(
    on sequencer: Sequencer, name: String, resolution: UInt32 = maximumResolution
  ) throws(ALSAError) -> SequencerQueue {
    let handle = unsafe sequencer.handle
    let allocated = unsafe try check(
      "snd_seq_alloc_named_queue", snd_seq_alloc_named_queue(handle, Sequencer.fit(name)))
    let number = QueueNumber(UInt8(truncatingIfNeeded: allocated))
    var removal: OpaquePointer?
    unsafe _ = snd_seq_remove_events_malloc(&removal)
    var status: OpaquePointer?
    unsafe _ = snd_seq_queue_status_malloc(&status)
    guard let removal = unsafe removal, let status = unsafe status else {
      unsafe _ = snd_seq_free_queue(handle, allocated)
      throw .outOfMemory("snd_seq_remove_events_malloc")
    }
    // From here on the queue is owned, and freed on every exit.
    var queue = unsafe SequencerQueue(
      number: number, sequencer: sequencer, removal: removal, status: status)
    try queue.ask(for: resolution)
    try queue.start()
    try queue.waitForTick()
    try queue.calibrate()
    let report = SmallFile.read("/proc/asound/seq/timer") ?? []
    queue.timer = QueueTimer(of: number, in: String(decoding: report, as: UTF8.self))
    return queue
  }

  /// Requests `resolution`; the timer is opened at allocation but adopts it only when the queue
  /// starts.
  private func ask(for resolution: UInt32) throws(ALSAError) {
    var raw: OpaquePointer?
    unsafe try check("snd_seq_queue_timer_malloc", snd_seq_queue_timer_malloc(&raw))
    guard let record = unsafe raw else { throw .outOfMemory("snd_seq_queue_timer_malloc") }
    defer { unsafe snd_seq_queue_timer_free(record) }
    let queue = Int32(number.value)
    unsafe try check("snd_seq_get_queue_timer", snd_seq_get_queue_timer(handle, queue, record))
    unsafe snd_seq_queue_timer_set_resolution(record, resolution)
    unsafe try check("snd_seq_set_queue_timer", snd_seq_set_queue_timer(handle, queue, record))
  }

  private func start() throws(ALSAError) {
    var event = snd_seq_event_t(queueControl: SND_SEQ_EVENT_START, of: number)
    unsafe try check(
      "snd_seq_event_output_direct", snd_seq_event_output_direct(handle, &event))
  }

  /// Waits until the queue's timer has ticked, at most half a second.
  ///
  /// A queue started while another one runs begins with that one's next period, up to 0.1 s later.
  /// Until then its time can be read but does not count yet, and jumps back when it starts. So an
  /// event without a receiver is put on the queue: when it has left, the timer runs.
  private mutating func waitForTick() throws(ALSAError) {
    let port = try sequencer.createPort(name: "tick", direction: .privateInput)
    // The first nanosecond of the queue's own time, as there is no calibration yet: the smallest
    // value that does not leave at once.
    _ = schedule(.clock, from: port, at: HostTime(nanoseconds: 1))
    let deadline = SystemClock.now + .milliseconds(500)
    repeat {
      SystemClock.sleep(until: SystemClock.now + .milliseconds(1))
      isTicking = pending == 0
    } while !isTicking && SystemClock.now < deadline
    try sequencer.deletePort(port)
  }

  /// Measures the queue's time against the clock again, for example after a suspend.
  ///
  /// Reads the queue 32 times within about 8 ms, each time between two readings of the clock. The
  /// kernel counts from its last timer interrupt as if it had been on time, so an interrupt that
  /// was late makes the queue appear late, never early. So the reading with the earliest upper
  /// bound for the queue's zero is kept. Source: `snd_seq_get_queue_status`.
  public mutating func calibrate() throws(ALSAError) {
    var earliest = HostTime.distantFuture
    for _ in 0..<32 {
      let before = SystemClock.now
      unsafe try check(
        "snd_seq_get_queue_status",
        snd_seq_get_queue_status(handle, Int32(number.value), status))
      let after = SystemClock.now
      guard let time = unsafe snd_seq_queue_status_get_real_time(status) else { continue }
      let elapsed = unsafe HostTime.Span(
        nanoseconds: Int64(time.pointee.tv_sec) * 1_000_000_000 + Int64(time.pointee.tv_nsec))
      let latest = after - elapsed
      if latest < earliest {
        earliest = latest
        let half = HostTime.Span(nanoseconds: (after - before).nanoseconds / 2)
        calibration = Calibration(origin: latest - half, uncertainty: half)
      }
      SystemClock.sleep(until: after + .microseconds(230))
    }
    sequencer.stamps(by: number, from: calibration.origin)
  }
}

// MARK: - Scheduling

extension SequencerQueue {
  /// Makes the kernel send `message` from `port` to its subscribers at `deadline`.
  ///
  /// It leaves at the first timer period not before `deadline`, or at once if that is in the past.
  /// Messages with the same deadline leave in the order scheduled. Real-time safe: one system call.
  /// The event has been accepted if and only if the result is `.done`, so nothing is lost or
  /// doubled however often it is retried after `.full`. Source: `snd_seq_event_output_direct` of an
  /// event with a queue and a real-time stamp, which unlike `snd_seq_event_output` leaves nothing
  /// in alsa-lib's buffer to drain.
  @_semantics("no_performance_analysis")
  public borrowing func schedule(
    _ message: MIDIMessage, from port: PortNumber, at deadline: HostTime
  ) -> ScheduleResult {
    var event = snd_seq_event_t(message)
    event.address(from: port)
    event.schedule(on: number, at: queueTime(deadline))
    return submit(&event)
  }

  /// Cancels all waiting events with a deadline later than `instant`; returns 0 or a negative
  /// errno.
  ///
  /// Affects every queue of our client, of which there is one. Real-time safe: one system call.
  /// Source: `snd_seq_remove_events`; its condition `TIME_AFTER` includes the time itself, hence
  /// the added nanosecond. (With any condition alsa-lib also discards its whole output buffer,
  /// which here is always empty.)
  @_semantics("no_performance_analysis")
  public borrowing func cancel(after instant: HostTime) -> Int32 {
    let first = queueTime(instant + HostTime.Span(nanoseconds: 1))
    var time = snd_seq_timestamp_t()
    unsafe time.time.tv_sec = UInt32(truncatingIfNeeded: first / 1_000_000_000)
    unsafe time.time.tv_nsec = UInt32(truncatingIfNeeded: first % 1_000_000_000)
    unsafe snd_seq_remove_events_set_condition(
      removal, UInt32(SND_SEQ_REMOVE_OUTPUT | SND_SEQ_REMOVE_TIME_AFTER))
    unsafe snd_seq_remove_events_set_queue(removal, Int32(number.value))
    unsafe snd_seq_remove_events_set_time(removal, &time)
    return unsafe min(0, snd_seq_remove_events(handle, removal))
  }

  /// The number of events waiting on the queue, or a negative errno.
  ///
  /// 0 means that the kernel has delivered everything. Real-time safe: one system call. Source:
  /// `snd_seq_get_queue_status`.
  public var pending: Int32 {
    @_semantics("no_performance_analysis") borrowing get {
      let result = unsafe snd_seq_get_queue_status(handle, Int32(number.value), status)
      return unsafe result < 0 ? result : snd_seq_queue_status_get_events(status)
    }
  }

  @_semantics("no_performance_analysis")
  private borrowing func submit(_ event: inout snd_seq_event_t) -> ScheduleResult {
    let result = unsafe snd_seq_event_output_direct(handle, &event)
    if result >= 0 { return .done }
    return result == -EAGAIN ? .full : .failed(result)
  }

  /// Nanoseconds of queue time; instants before its zero become zero.
  @_noLocks
  private borrowing func queueTime(_ instant: HostTime) -> Int64 {
    let elapsed = (instant - calibration.origin).nanoseconds
    return elapsed > 0 ? elapsed : 0
  }
}
