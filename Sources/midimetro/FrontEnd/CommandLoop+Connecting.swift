internal import MIDIClock
internal import MetronomeCore

extension CommandLoop {
  /// Shows who is connected to `patch`, when that has changed.
  mutating func show(_ patch: inout some ConnectingSession & ~Copyable) {
    guard screen != nil, patch.takePatchChange() else { return }
    do throws(ALSAError) {
      let listeners = try patch.listeners()
      screen?.model.update { $0.tell(listeners: listeners) }
    } catch { warn("\(error)") }
    if screen?.model.state.portList != nil { list(patch) }
  }

  /// Shows what could be connected.
  mutating func list(_ patch: borrowing some ConnectingSession & ~Copyable) {
    do throws(ALSAError) { screen?.model.list(try patch.connectablePorts()) } catch {
      warn("\(error)")
    }
  }

  mutating func connect(
    _ outlet: ConnectablePort, to patch: inout some ConnectingSession & ~Copyable, at now: HostTime
  ) {
    do throws(ALSAError) {
      try patch.connect(outlet)
      screen?.model.tell(connected: outlet, at: now)
    } catch { warn("not connected: \(error.advised) (\(outlet.name))") }
    show(&patch)
  }

  mutating func disconnect(
    _ outlet: ConnectablePort, from patch: inout some ConnectingSession & ~Copyable,
    at now: HostTime
  ) {
    do throws(ALSAError) {
      try patch.disconnect(outlet, isRolling: screen?.model.state.motion == .rolling)
      screen?.model.tell(disconnected: outlet, at: now)
    } catch { warn("not disconnected: \(error.advised) (\(outlet.name))") }
    show(&patch)
  }
}
