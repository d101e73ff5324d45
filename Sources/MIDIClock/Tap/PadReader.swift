/// Detects presses and releases in the messages of pads and pedals.
///
/// A note-on is always a press, because some pads never send the note-off; a note-off, or a note-on
/// with velocity 0, is a release. A controller is pressed when its value rises to 64 or above,
/// which is the MIDI threshold for pedals, and released when it falls below. A continuous pedal
/// sends many values above 64; they are one press. A switch that only ever sends one value is
/// pressed each time. Fixed size; real-time safe.
public struct PadReader: Sendable {
  /// The lowest value at which a pedal is down.
  ///
  /// Source: MIDI 1.0 Detailed Specification, table 3, controllers 64 to 69: "0 to 63 = off, 64 to
  /// 127 = on".
  public static var pedalThreshold: UInt8 { 64 }

  private struct Pedal {
    var port: Int32?
    var channel: UInt8 = 0
    var controller: UInt8 = 0
    var value: UInt8 = 0
  }

  private var pedals: [16 of Pedal] = .init(repeating: Pedal())
  private var oldest = 0

  /// Creates a reader that has received nothing.
  public init() {}

  /// The press or release in `message` from the port numbered `port`; `nil` if it is neither.
  public mutating func read(_ message: MIDIMessage, from port: Int32) -> PadHit? {
    switch message {
    case .noteOn(let channel, let key, let velocity):
      return PadHit(kind: .note(key), channel: channel, isPress: true, strength: velocity)
    case .noteOff(let channel, let key, let velocity):
      return PadHit(kind: .note(key), channel: channel, isPress: false, strength: velocity)
    case .control(let channel, let controller, let value):
      let last = exchange(value, of: controller, on: channel, from: port)
      let hit = PadHit(
        kind: .controller(controller), channel: channel,
        isPress: value >= Self.pedalThreshold, strength: value)
      guard let last else { return hit }
      if hit.isPress { return last < Self.pedalThreshold || last == value ? hit : nil }
      return last >= Self.pedalThreshold ? hit : nil
    case .clock, .start, .continue, .stop, .songPosition: return nil
    }
  }

  /// Stores the controller's new value and returns the previous one; `nil` if there was none.
  private mutating func exchange(
    _ value: UInt8, of controller: UInt8, on channel: UInt8, from port: Int32
  ) -> UInt8? {
    for index in 0..<16 {
      let pedal = pedals[index]
      if pedal.port == port, pedal.channel == channel, pedal.controller == controller {
        pedals[index].value = value
        return pedal.value
      }
    }
    pedals[oldest] = Pedal(port: port, channel: channel, controller: controller, value: value)
    oldest = (oldest + 1) % 16
    return nil
  }
}
