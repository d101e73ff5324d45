/// Tells presses from releases in what pads and pedals send.
///
/// A note-on is a press whatever came before, because some pads never send the note-off; a note-off,
/// or a note-on with velocity 0, is a release. A controller is pressed when its value rises to 64
/// or above, which is where MIDI calls a pedal down, and released when it falls below. A pedal that
/// tells how far it is down sends many values above 64, which are one press; a switch that only ever
/// sends one value is pressed each time. Fixed size; real-time safe.
public struct PadReader: Sendable {
  /// The least value at which a pedal is down.
  ///
  /// Source: MIDI 1.0 Detailed Specification, table 3,
  /// controllers 64 to 69: "0 to 63 = off, 64 to 127 = on".
  public static var pedalThreshold: UInt8 { 64 }

  private struct Pedal {
    var port: Int32 = -1
    var channel: UInt8 = 0
    var controller: UInt8 = 0
    var value: UInt8 = 0
  }

  private var pedals: [16 of Pedal] = .init(repeating: Pedal())
  private var oldest = 0

  /// Nothing heard yet.
  public init() {}

  /// The press or release that `message` from the port numbered `port` is; `nil` when it is neither.
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

  /// Keeps the controller's new value and returns the one before; `nil` for a controller not known.
  private mutating func exchange(
    _ value: UInt8, of controller: UInt8, on channel: UInt8, from port: Int32
  ) -> UInt8? {
    for place in 0..<16 {
      let pedal = pedals[place]
      if pedal.port == port, pedal.channel == channel, pedal.controller == controller {
        pedals[place].value = value
        return pedal.value
      }
    }
    pedals[oldest] = Pedal(port: port, channel: channel, controller: controller, value: value)
    oldest = (oldest + 1) % 16
    return nil
  }
}
