internal import MIDIClock

extension SequencerOutput {
  /// Leaves a device that has just been disconnected silent: ends the clicks of `route` and, when
  /// `isRolling`, stops what its Start or Continue started.
  ///
  /// It goes to the one address: the others play on.
  func takeLeave(
    _ route: Route, from port: PortNumber, of destination: PortAddress, isRolling: Bool
  ) {
    if route.contents.contains(.click) {
      for note in [route.voice.strong, route.voice.medium, route.voice.weak] {
        _ = send(
          .noteOff(channel: route.voice.channel, key: note.key, velocity: 0), from: port,
          to: destination)
      }
    }
    if isRolling, route.contents.contains(.transport) {
      _ = send(.stop, from: port, to: destination)
    }
  }
}
