internal import MIDIClock

/// Which of our ports each route's messages leave from.
struct RoutePorts: Sendable {
  private var clock: [16 of UInt8] = .init(repeating: 0)
  private var click: [16 of UInt8] = .init(repeating: 0)
  private var count = 0

  /// Sets the ports of route `route`.
  mutating func set(_ route: Int, clock: PortNumber, click: PortNumber) {
    self.clock[route] = clock.value
    self.click[route] = click.value
    if count <= route { count = route + 1 }
  }

  /// Whether anybody is connected to one of them; true when the sequencer does not tell.
  ///
  /// Real-time safe: no, it makes a system call for each port.
  func areHeard(on sequencer: Sequencer) -> Bool {
    for route in 0..<count {
      for port in [clock[route], click[route]] {
        do throws(ALSAError) {
          if try sequencer.listeners(of: PortNumber(port)) > 0 { return true }
        } catch { return true }
      }
    }
    return false
  }

  /// The ports of route `route`; the same one twice where it has but one.
  func both(on route: Int) -> [PortNumber] { [PortNumber(clock[route]), PortNumber(click[route])] }

  /// The port `message` leaves from on `route`: notes from the click port, all else from the clock's.
  func port(_ message: MIDIMessage, on route: Int) -> PortNumber {
    switch message {
    case .noteOn, .noteOff, .control: PortNumber(click[route])
    case .clock, .start, .continue, .stop, .songPosition: PortNumber(clock[route])
    }
  }
}
