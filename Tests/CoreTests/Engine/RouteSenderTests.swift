import Glibc
import MIDIClock
import Testing

@testable import MetronomeCore

struct RouteSenderTests {
  /// A sender in a class, because `#expect` copies its operands.
  private final class Held {
    var sender: RouteSender

    init(recording: Recording? = nil) {
      sender = RouteSender(RouteSenderTests.table, recording: recording)
    }

    func send(_ message: MIDIMessage, on route: Int, due: HostTime) -> Int32? {
      sender.send(message, on: route, due: due)
    }

    func add(_ task: UnplannedTask) -> Bool { sender.add(task) }

    func sendUnplanned(before deadline: HostTime) -> Bool {
      sender.sendUnplanned(before: deadline, now: RouteSenderTests.now)
    }

    func finishUnplanned() { sender.finishUnplanned() }

    func measure(_ event: PlannedEvent, at now: HostTime) { sender.measure(event, at: now) }

    func forget() { sender.forget() }

    var refused: Int64 { sender.refused }
    var latest: HostTime.Span { sender.lateness.maximum }
    var summary: LatenessHistogram.Summary? { sender.latenessSummary() }
  }

  /// Two destinations and our public ports, all recorded.
  private static var table: RouteTable {
    var table = RouteTable(
      destinations: [Route(), Route(contents: .click)], general: Route(), soundOffset: nil,
      isObserved: true)
    table.record()
    return table
  }

  private static let now = HostTime(nanoseconds: 5_000_000_000)

  @Test func `a message is recorded with its route and planned time`() {
    let recording = Recording(capacity: 4)
    let sender = Held(recording: recording)
    let before = SystemClock.now
    #expect(sender.send(.clock, on: 1, due: Self.now) == nil)
    #expect(sender.send(.clock, on: 3, due: Self.now) == nil)
    let entries = recording.take()
    #expect(entries.map(\.message) == [.clock])
    #expect(entries.map(\.route) == [1])
    #expect(entries.map(\.planned) == [Self.now])
    #expect(entries.allSatisfy { !($0.left < before) })
  }

  @Test func `a refusal is reported once until a message of the route succeeds`() {
    let recording = Recording(capacity: 1)
    let sender = Held(recording: recording)
    #expect(sender.send(.start, on: 0, due: Self.now) == nil)
    #expect(sender.send(.clock, on: 0, due: Self.now) == -ENOMEM)
    #expect(sender.send(.clock, on: 0, due: Self.now) == nil)
    // Each route counts separately.
    #expect(sender.send(.clock, on: 1, due: Self.now) == -ENOMEM)
    #expect(sender.refused == 3)
    #expect(recording.take().map(\.message) == [.start])
    #expect(sender.send(.clock, on: 0, due: Self.now) == nil)
    #expect(sender.send(.stop, on: 0, due: Self.now) == -ENOMEM)
  }

  @Test func `only the pulses of measured routes are counted as late`() {
    let sender = Held()
    let late = Self.now + .microseconds(7)
    for (route, message) in [(0, .clock), (0, .start), (2, .clock)] as [(Int, MIDIMessage)] {
      sender.measure(
        PlannedEvent(time: Self.now, route: route, action: .send(message), closest: .zero),
        at: late)
    }
    #expect(sender.latest == .microseconds(7))
    sender.forget()
    #expect(sender.summary == nil)
  }

  @Test func `a panic ends all notes on every channel of every route, one message at a time`() {
    let recording = Recording(capacity: 200)
    let sender = Held(recording: recording)
    let far = Self.now + .seconds(1)
    #expect(!sender.sendUnplanned(before: far))
    #expect(sender.add(.panic))
    var steps = 0
    while sender.sendUnplanned(before: far) {
      steps += 1
      #expect(recording.take().count == 1)
      if steps > 96 { break }
    }
    #expect(steps == 96)
  }

  @Test func `a panic's messages are both controllers of 16 channels, the routes in order`() {
    let recording = Recording(capacity: 200)
    let sender = Held(recording: recording)
    #expect(sender.add(.panic))
    sender.finishUnplanned()
    let entries = recording.take()
    var expected: [MIDIMessage] = []
    for channel in UInt8(0)..<16 {
      expected.append(.control(channel: channel, controller: 120, value: 0))
      expected.append(.control(channel: channel, controller: 123, value: 0))
    }
    for route in 0..<3 {
      #expect(entries.filter { $0.route == route }.map(\.message) == expected)
    }
    #expect(entries.map(\.route) == entries.map(\.route).sorted())
  }

  @Test func `no unplanned message is sent close to a deadline`() {
    let recording = Recording(capacity: 200)
    let sender = Held(recording: recording)
    #expect(sender.add(.panic))
    // 80 us for a late wake-up, the initial value, and 200 us for sending.
    #expect(!sender.sendUnplanned(before: Self.now + .microseconds(280)))
    #expect(recording.take().isEmpty)
    #expect(sender.sendUnplanned(before: Self.now + .microseconds(281)))
    #expect(recording.take().count == 1)
  }

  @Test func `tasks beyond the capacity are refused, and the others are done`() {
    let recording = Recording(capacity: 2_000)
    let sender = Held(recording: recording)
    for _ in 0..<16 { #expect(sender.add(.panic)) }
    #expect(!sender.add(.panic))
    sender.finishUnplanned()
    #expect(recording.take().count == 16 * 96)
    #expect(sender.add(.panic))
  }

  @Test(arguments: [true, false])
  func `a device is left with three note-offs, and a Stop if it was started`(
    _ isRolling: Bool
  ) {
    func leave(_ contents: Route.Contents) -> [MIDIMessage] {
      let leave = LeaveTaking(
        route: Route(contents: contents), port: PortNumber(0),
        address: PortAddress(client: 128, port: 0), isRolling: isRolling)
      return (0..<10).compactMap(leave.message)
    }
    let voice = ClickVoice.standard
    let off = [voice.strong, voice.medium, voice.weak].map {
      MIDIMessage.noteOff(channel: voice.channel, key: $0.key, velocity: 0)
    }
    #expect(leave(.all) == off + (isRolling ? [.stop] : []))
    #expect(leave(.click) == off)
    #expect(leave([.clock, .transport]) == (isRolling ? [.stop] : []))
    #expect(leave(.clock) == [])
  }
}
