import MIDIClock
import Testing

@testable import MetronomeCore

struct DoorbellTests {
  @Test func `a wait without a ring lasts until its deadline`() {
    let bell = Doorbell()
    let deadline = SystemClock.now + .milliseconds(20)
    #expect(!bell.wait(until: deadline))
    #expect(SystemClock.now >= deadline)
  }

  @Test func `a ring before the wait is not lost, and each ring ends one wait`() {
    let bell = Doorbell()
    bell.ring()
    bell.ring()
    #expect(bell.wait(until: .distantFuture))
    #expect(bell.wait(until: .zero))
    #expect(!bell.wait(until: .zero))
  }

  @Test func `a ring from another thread ends the wait`() throws {
    let bell = Doorbell()
    let thread = try RealtimeThread.start(name: "waiter", priority: nil, state: bell) { bell in
      bell.wait(until: SystemClock.now + .seconds(60))
    }
    bell.ring()
    let rung = thread.join()
    #expect(rung)
  }

  @Test func `a notification from another thread makes the poll loop's descriptor readable once`()
    throws
  {
    let notifier = try Notifier.open()
    var set = PollSet([notifier.descriptor])
    #expect(try set.wait(until: .zero) == [])
    #expect(notifier.drain() == 0)
    let thread = try RealtimeThread.start(name: "notifier", priority: nil, state: notifier) {
      $0.notify()
      $0.notify()
    }
    thread.join()
    #expect(try set.wait(until: .distantFuture) == [0])
    #expect(notifier.drain() == 2)
    #expect(try set.wait(until: .zero) == [])
  }

  @Test func `the poll loop returns which descriptors are ready, and wakes at its deadline`() throws
  {
    let quiet = try Notifier.open()
    let loud = try Notifier.open()
    loud.notify()
    var set = PollSet([quiet.descriptor, loud.descriptor])
    #expect(try set.wait() == [1])
    var silent = PollSet([quiet.descriptor])
    let deadline = SystemClock.now + .milliseconds(20)
    #expect(try silent.wait(until: deadline) == [])
    #expect(SystemClock.now >= deadline)
  }
}
