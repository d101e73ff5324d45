internal import MIDIClock

/// Which of our ports each route's messages leave from.
struct RoutePorts: Sendable {
  private var clock: [16 of UInt8] = .init(repeating: 0)
  private var click: [16 of UInt8] = .init(repeating: 0)

  /// Sets the ports of route `route`.
  mutating func set(_ route: Int, clock: PortNumber, click: PortNumber) {
    self.clock[route] = clock.value
    self.click[route] = click.value
  }

  /// The port `message` leaves from on `route`: notes from the click port, all else from the clock's.
  func port(_ message: MIDIMessage, on route: Int) -> PortNumber {
    switch message {
    case .noteOn, .noteOff, .control: PortNumber(click[route])
    case .clock, .start, .continue, .stop, .songPosition: PortNumber(clock[route])
    }
  }
}
