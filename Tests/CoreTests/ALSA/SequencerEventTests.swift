import CALSASeq
import MIDIClock
import Testing

@testable import MetronomeCore

struct SequencerEventTests {
  private static let position =
    SongPosition(midiBeats: 357) ?? SongPosition(lowByte: 0, highByte: 0)

  static let messages: [(UInt8, MIDIMessage)] = [
    (36, .clock), (30, .start), (31, .continue), (32, .stop), (20, .songPosition(position)),
    (6, .noteOn(channel: 9, key: 34, velocity: 127)),
    (7, .noteOff(channel: 15, key: 127, velocity: 64)),
    (10, .control(channel: 0, controller: 123, value: 0)),
  ]

  @Test(arguments: messages)
  func `each message has its own event type and survives the round trip`(
    type: UInt8, message: MIDIMessage
  ) {
    var event = snd_seq_event_t(message)
    event.source.client = 20
    event.source.port = 3
    event.dest.port = 2
    #expect(event.type == type)
    #expect(
      event.incoming(stamp: .zero)
        == .message(
          message, port: PortNumber(2), source: PortAddress(client: 20, port: 3), stamp: .zero))
  }

  /// Payload bytes in range for every type: zeros except for a velocity.
  private func event(type: UInt8, from client: UInt8, port: UInt8) -> snd_seq_event_t {
    var event = snd_seq_event_t()
    event.type = type
    event.source.client = client
    event.source.port = port
    unsafe event.data.raw8.d.2 = 0
    return event
  }

  /// The meaning of the event; `nil` if it is of no use to us.
  private func meaning(_ event: snd_seq_event_t) -> IncomingEvent? {
    let incoming = event.incoming(stamp: nil)
    return incoming == .other(type: event.type) ? nil : incoming
  }

  /// The message, from client `client` to our port 0.
  private func message(_ message: MIDIMessage, from client: UInt8) -> IncomingEvent {
    .message(
      message, port: PortNumber(0), source: PortAddress(client: client, port: 0), stamp: nil)
  }

  @Test func `of all 256 event types exactly eight are messages when sent by a client`() {
    var meanings: [UInt8: IncomingEvent] = [:]
    for type in UInt8.min...UInt8.max {
      meanings[type] = meaning(event(type: type, from: 128, port: 0))
    }
    let zero = SongPosition(lowByte: 0, highByte: 0)
    #expect(
      meanings == [
        6: message(.noteOff(channel: 0, key: 0, velocity: 0), from: 128),
        7: message(.noteOff(channel: 0, key: 0, velocity: 0), from: 128),
        10: message(.control(channel: 0, controller: 0, value: 0), from: 128),
        20: message(.songPosition(zero), from: 128),
        30: message(.start, from: 128), 31: message(.continue, from: 128),
        32: message(.stop, from: 128), 36: message(.clock, from: 128),
      ])
  }

  @Test func `the kernel's announcement port announces six things and sends no messages`() {
    var meanings: [UInt8: IncomingEvent] = [:]
    for type in UInt8.min...UInt8.max {
      var event = event(type: type, from: 0, port: 1)
      unsafe event.data.raw8.d = (24, 1, 28, 2, 0, 0, 0, 0, 0, 0, 0, 0)
      meanings[type] = meaning(event)
    }
    let first = PortAddress(client: 24, port: 1)
    let second = PortAddress(client: 28, port: 2)
    #expect(
      meanings == [
        60: .clientStarted(24), 61: .clientExited(24), 63: .portStarted(first),
        64: .portExited(first), 66: .subscribed(sender: first, destination: second),
        67: .unsubscribed(sender: first, destination: second),
      ])
  }

  @Test func `events of the kernel's timer port are never messages, START and CLOCK included`() {
    for type in UInt8.min...UInt8.max {
      #expect(meaning(event(type: type, from: 0, port: 0)) == nil)
    }
  }

  @Test func `a song position is the assembled 14 bits, never shifted`() {
    var event = event(type: 20, from: 20, port: 0)
    for value in [0, 101 + 2 * 128, 16_383] as [Int32] {
      unsafe event.data.control.value = value
      #expect(
        meaning(event)
          == SongPosition(midiBeats: Int64(value)).map { message(.songPosition($0), from: 20) })
    }
    for value in [-1, 16_384, 357 * 128] as [Int32] {
      unsafe event.data.control.value = value
      #expect(meaning(event) == nil)
    }
  }

  @Test func `notes and controllers out of range are rejected`() {
    let wrong: [(inout snd_seq_event_t) -> Void] = [
      { unsafe $0.data.note.channel = 16 }, { unsafe $0.data.note.note = 128 },
      { unsafe $0.data.note.velocity = 128 },
    ]
    for type in [6, 7] as [UInt8] {
      for spoil in wrong {
        var event = event(type: type, from: 20, port: 0)
        spoil(&event)
        #expect(meaning(event) == nil)
      }
    }
    let wrongControl: [(inout snd_seq_event_t) -> Void] = [
      { unsafe $0.data.control.channel = 16 }, { unsafe $0.data.control.param = 128 },
      { unsafe $0.data.control.value = 128 }, { unsafe $0.data.control.value = -1 },
    ]
    for spoil in wrongControl {
      var event = event(type: 10, from: 20, port: 0)
      spoil(&event)
      #expect(meaning(event) == nil)
    }
  }

  @Test func `a stamp counts only if it is real time on the requested queue`() {
    var event = snd_seq_event_t(.clock)
    #expect(event.stamp(by: 3) == nil)
    event.schedule(on: QueueNumber(3), at: 5_000_000_001)
    #expect(event.stamp(by: 3) == 5_000_000_001)
    #expect(event.stamp(by: 0) == nil)
    event.flags = 0
    #expect(event.stamp(by: 3) == nil)
  }

  @Test func `an event is addressed to subscribers or to one port, and sent at once`() {
    var event = snd_seq_event_t(.clock)
    event.address(from: PortNumber(2))
    #expect(event.source.port == 2)
    #expect(event.dest.client == 254)
    #expect(event.dest.port == 253)
    #expect(event.queue == 253)
    event.address(from: PortNumber(1), to: PortAddress(client: 128, port: 4))
    #expect(event.source.port == 1)
    #expect(event.dest.client == 128)
    #expect(event.dest.port == 4)
    #expect(event.queue == 253)
  }
}
