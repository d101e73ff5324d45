import MIDIClock
import TestSupport
import Testing

@testable import MetronomeCore

extension SequencerTests {
  /// The parts of precise dispatch together: thread, doorbell, direct send, stamps.
  @Suite struct SequencerTimingTests {
    struct Sender: Sendable {
      let output: SequencerOutput
      let port: PortNumber
      let bell: Doorbell
      let deadlines: [HostTime]
    }

    @Test func `a real-time thread sends every pulse, in virtual time within 20 us`() throws {
      let sequencer = try Sequencer.open(clientName: "midimetro test")
      let queue = try SequencerQueue.open(on: sequencer, name: "test")
      let loop = try SequencerQueueTests.Loop(stampedBy: queue.number, on: sequencer)
      let start = SystemClock.now + .milliseconds(50)
      // 133.7 BPM
      let deadlines = (0..<320).map { start + HostTime.Span(nanoseconds: $0 * 18_698_579) }
      let sender = Sender(
        output: sequencer.output, port: loop.output, bell: Doorbell(), deadlines: deadlines)
      let thread = try RealtimeThread.start(name: "sender", state: sender) { sender in
        var failures = 0
        for deadline in sender.deadlines {
          _ = sender.bell.wait(until: deadline)
          if sender.output.send(.clock, from: sender.port) < 0 { failures += 1 }
        }
        return failures
      }
      let scheduling = thread.scheduling
      let stamps = try loop.received(320).map(\.1)
      let failures = thread.join()
      #expect(failures == 0)
      #expect(stamps.count == 320)
      let late = zip(stamps, deadlines).map { Double(($0 - $1).nanoseconds) / 1_000 }
      let mean = late.reduce(0, +) / Double(late.count)
      let deviation =
        (late.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(late.count)).squareRoot()
      print(
        "direct lateness, us: mean \(mean), SD \(deviation),",
        "\(late.min() ?? 0) to \(late.max() ?? 0), first \(late.first ?? 0), \(scheduling)")
      if timeIsVirtual {
        #expect(deviation <= 2)
        #expect((late.max() ?? .infinity) - (late.min() ?? 0) <= 20)
        #expect(late.allSatisfy { $0 > 0 && $0 < 50 })
      }
    }
  }
}
