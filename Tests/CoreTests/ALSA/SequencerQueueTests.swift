import MIDIClock
import TestSupport
import Testing

@testable import MetronomeCore

extension SequencerTests {
  @Suite struct SequencerQueueTests {
    /// A client connected to itself.
    struct Loop {
      let sequencer: Sequencer
      let output: PortNumber
      let input: PortNumber

      init(stampedBy queue: QueueNumber? = nil, on sequencer: Sequencer) throws {
        self.sequencer = sequencer
        output = try sequencer.createPort(name: "out", direction: .output)
        input = try sequencer.createPort(name: "in", direction: .input, stampedBy: queue)
        try sequencer.connect(
          output, to: PortAddress(client: sequencer.clientNumber, port: input.value))
      }

      /// The messages received, with their stamps, until `count` or two seconds of silence.
      func received(_ count: Int) throws -> [(MIDIMessage, HostTime)] {
        try receive(count, from: sequencer).compactMap {
          if case .message(let message, _, _, let stamp?) = $0 { (message, stamp) } else { nil }
        }
      }
    }

    @Test func `the finest timer is granted and calibrated to a few microseconds`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      var queue = try SequencerQueue.open(on: sequencer, name: "test")
      let granted = queue.timer
      let timer = try #require(granted)
      #expect(timer.name.lowercased().hasPrefix("hr"))
      #expect(timer.period == .microseconds(160))
      let first = queue.calibration
      #expect(first.uncertainty < .microseconds(timeIsVirtual ? 5 : 500))
      try queue.calibrate()
      let second = queue.calibration
      let apart = (second.origin - first.origin).nanoseconds.magnitude
      print(
        "queue calibration: uncertainty \(first.uncertainty.nanoseconds) ns, then",
        "\(second.uncertainty.nanoseconds) ns; origins \(apart) ns apart")
      #expect(apart < (timeIsVirtual ? 5_000 : 1_000_000))
    }

    @Test func `an event sent at once is stamped with the host time it was sent`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let queue = try SequencerQueue.open(on: sequencer, name: "test")
      let loop = try Loop(stampedBy: queue.number, on: sequencer)
      let slack = queue.calibration.uncertainty + .microseconds(timeIsVirtual ? 5 : 1_000)
      for message in SequencerEventTests.messages.map(\.1) {
        let before = SystemClock.now
        #expect(sequencer.output.send(message, from: loop.output) == 0)
        let after = SystemClock.now
        let received = try #require(try loop.received(1).first)
        #expect(received.0 == message)
        #expect(received.1 > before - slack)
        #expect(received.1 < after + slack)
      }
    }

    @Test func `scheduled events leave on the timer's grid, never early`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let queue = try SequencerQueue.open(on: sequencer, name: "test")
      let loop = try Loop(stampedBy: queue.number, on: sequencer)
      let timer = queue.timer
      let period = try #require(timer).period
      let start = SystemClock.now + .milliseconds(20)
      // 133.7 BPM
      let deadlines = (0..<240).map { start + HostTime.Span(nanoseconds: $0 * 18_698_579) }
      for deadline in deadlines {
        #expect(queue.schedule(.clock, from: loop.output, at: deadline) == .done)
      }
      let late = zip(try loop.received(240), deadlines).map { $0.0.1 - $0.1 }
      #expect(late.count == 240)
      print(
        "queue lateness: \(late.min()?.nanoseconds ?? 0) to",
        "\(late.max()?.nanoseconds ?? 0) ns")
      for span in late {
        #expect(span > -(queue.calibration.uncertainty + .microseconds(timeIsVirtual ? 1 : 1_000)))
        #expect(span < period + .microseconds(timeIsVirtual ? 20 : 1_000_000))
      }
    }

    @Test
    func `three thousand events scheduled ahead fill the pool, and all arrive once and in order`()
      throws
    {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let queue = try SequencerQueue.open(on: sequencer, name: "test")
      let loop = try Loop(on: sequencer)
      let start = SystemClock.now + .milliseconds(500)
      var full = 0
      var numbers: [Int64] = []
      func drain() throws {
        while let event = try sequencer.nextEvent() {
          if case .message(.songPosition(let position), _, _, _) = event {
            numbers.append(Int64(position.midiBeats))
          } else {
            Issue.record("unexpected \(event)")
          }
        }
      }
      for number in 0..<3_000 as Range<Int64> {
        let position = try #require(SongPosition(midiBeats: number))
        let deadline = start + .microseconds(number * 200)
        while true {
          let result = queue.schedule(.songPosition(position), from: loop.output, at: deadline)
          if result == .done { break }
          #expect(result == .full)
          if full == 0 {
            #expect(number == 2_000)
            #expect(queue.pending == 2_000)
          }
          full += 1
          SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
          try drain()
        }
      }
      while queue.pending > 0 {
        SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
        try drain()
      }
      try drain()
      #expect(full > 0)
      #expect(numbers == Array(0..<3_000))
    }

    @Test func `cancelling removes exactly the events later than the instant`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let queue = try SequencerQueue.open(on: sequencer, name: "test")
      let loop = try Loop(on: sequencer)
      let start = SystemClock.now + .milliseconds(100)
      for number in 0..<100 as Range<Int64> {
        let position = try #require(SongPosition(midiBeats: number))
        #expect(
          queue.schedule(
            .songPosition(position), from: loop.output, at: start + .milliseconds(number)) == .done)
      }
      #expect(queue.pending == 100)
      // The event at the instant itself stays.
      #expect(queue.cancel(after: start + .milliseconds(41)) == 0)
      #expect(queue.pending == 42)
      let numbers = try receive(43, from: sequencer).map {
        if case .message(.songPosition(let position), _, _, _) = $0 {
          Int(position.midiBeats)
        } else {
          -1
        }
      }
      #expect(numbers == Array(0..<42))
      #expect(queue.pending == 0)
    }

    @Test func `cancelling leaves the queued events of other clients alone`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let queue = try SequencerQueue.open(on: sequencer, name: "test")
      let other = try Sequencer.open(clientName: "other")
      let otherQueue = try SequencerQueue.open(on: other, name: "other")
      let port = try other.createPort(name: "out", direction: .output)
      #expect(
        otherQueue.schedule(.clock, from: port, at: SystemClock.now + .seconds(1)) == .done)
      #expect(queue.cancel(after: .zero) == 0)
      #expect(otherQueue.pending == 1)
    }

    @Test func `events in the past leave at once, even from before the queue existed`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let queue = try SequencerQueue.open(on: sequencer, name: "test")
      let loop = try Loop(stampedBy: queue.number, on: sequencer)
      for deadline in [.zero, queue.calibration.origin, SystemClock.now] as [HostTime] {
        let before = SystemClock.now
        #expect(queue.schedule(.clock, from: loop.output, at: deadline) == .done)
        let stamp = try #require(try loop.received(1).first).1
        #expect(stamp - before < .microseconds(timeIsVirtual ? 500 : 1_000_000))
      }
    }

    @Test func `two hundred queues opened and closed leave none behind`() throws {
      let before = try #require(SmallFile.read("/proc/asound/seq/queues"))
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let port = try sequencer.createPort(name: "out", direction: .output)
      for _ in 0..<200 {
        let queue = try SequencerQueue.open(on: sequencer, name: "test")
        #expect(queue.schedule(.clock, from: port, at: SystemClock.now + .seconds(9)) == .done)
      }
      #expect(SmallFile.read("/proc/asound/seq/queues") == before)
    }
  }
}
