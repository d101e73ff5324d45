internal import MIDIClock

extension SequencerOutput {
  /// Ends every note on every channel of the first `routes` routes.
  func panic(on ports: RoutePorts, routes: Int) {
    for route in 0..<routes {
      for channel in UInt8(0)..<16 {
        for controller in [UInt8(120), 123] {
          let message = MIDIMessage.control(channel: channel, controller: controller, value: 0)
          _ = send(message, from: ports.port(message, on: route))
        }
      }
    }
  }
}
