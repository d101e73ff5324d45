import CLinux
import Glibc
import MIDIClock
import Testing

@testable import MetronomeCore

struct RealtimeThreadTests {
  /// A state that can only be moved.
  struct Counter: ~Copyable, Sendable {
    var count: Int
  }

  @Test func `the state goes to the thread and comes back from join`() throws {
    let thread = try RealtimeThread.start(
      name: "counter", priority: nil, state: Counter(count: 41)
    ) { counter in
      var counter = counter
      counter.count += 1
      return counter
    }
    #expect(thread.scheduling == .ordinary)
    let counter = thread.join()
    #expect(counter.count == 42)
  }

  @Test func `the thread has its name and a nanosecond of slack`() throws {
    let thread = try RealtimeThread.start(name: "midimetro-clock", priority: nil, state: ()) { _ in
      [
        SmallFile.read("/proc/thread-self/comm") ?? [],
        SmallFile.read("/proc/\(midimetro_gettid())/timerslack_ns") ?? [],
      ]
    }
    #expect(
      thread.join().map { String(decoding: $0, as: UTF8.self) } == ["midimetro-clock\n", "1\n"])
  }

  @Test func `a granted priority is in effect, and a refused one gives the reason`() throws {
    let thread = try RealtimeThread.start(name: "fifo", priority: 60, state: ()) { _ in
      var policy: Int32 = 0
      var parameters = sched_param()
      unsafe _ = pthread_getschedparam(pthread_self(), &policy, &parameters)
      return (policy & 0xFF, parameters.sched_priority)
    }
    let scheduling = thread.scheduling
    let (policy, priority) = thread.join()
    switch scheduling {
    case .realtime(let granted):
      #expect(policy == SCHED_FIFO)
      #expect(priority == granted)
    case .refused(let code):
      #expect(code == EPERM)
      #expect(policy == SCHED_OTHER)
    case .ordinary: Issue.record("neither granted nor refused")
    }
  }

  @Test func `a priority that does not exist is refused with EINVAL`() throws {
    let thread = try RealtimeThread.start(name: "fifo", priority: 100, state: ()) { _ in }
    let scheduling = thread.scheduling
    thread.join()
    // If the limit is below 100, the limit itself is used.
    if case .realtime(let priority) = scheduling {
      #expect(priority < 100)
    } else {
      #expect(scheduling == .refused(EINVAL))
    }
  }

  @Test func `a thread dropped without a join ends by itself`() throws {
    let bell = Doorbell()
    do {
      _ = try RealtimeThread.start(name: "loose", priority: nil, state: bell) { $0.ring() }
    }
    #expect(bell.wait(until: SystemClock.now + .seconds(60)))
  }

  @Test func `the limits read by doctor match the kernel's`() throws {
    let limits = Limits.read()
    let lines = String(decoding: try #require(SmallFile.read("/proc/self/limits")), as: UTF8.self)
      .split(separator: "\n")
    func soft(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix(name) }?.dropFirst(name.count).split(separator: " ").first
    }
    #expect(limits.realtimePriority.description == soft("Max realtime priority").map(String.init))
    #expect(limits.lockedMemory.description == soft("Max locked memory").map(String.init))
    #expect(limits.scheduling != .ordinary)
  }

  @Test func `locking memory succeeds or gives the reason, in a separate process`() async {
    await #expect(processExitsWith: .success) {
      if let code = MemoryLock.lockAll() { exit(code == ENOMEM || code == EPERM ? 0 : 1) }
      let status = String(decoding: SmallFile.read("/proc/self/status") ?? [], as: UTF8.self)
      func kilobytes(_ key: String) -> Int {
        status.split(separator: "\n").first { $0.hasPrefix(key) }?
          .split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
          ?? -1
      }
      // Pages are locked when touched: resident memory stays far below what is mapped.
      exit(kilobytes("VmRSS:") > 0 && kilobytes("VmRSS:") < kilobytes("VmSize:") / 2 ? 0 : 2)
    }
  }
}
