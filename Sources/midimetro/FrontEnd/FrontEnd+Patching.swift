internal import MIDIClock
internal import MetronomeCore

extension FrontEnd {
  /// Shows who is connected to `patch`, when that has changed.
  mutating func show(_ patch: inout some Patching & ~Copyable) {
    guard screen != nil, patch.takePatchChange() else { return }
    do throws(ALSAError) {
      let listeners = try patch.listeners()
      screen?.model.update { $0.tell(listeners: listeners) }
    } catch { warn("\(error)") }
    if screen?.model.state.portList != nil { list(patch) }
  }

  /// Shows what could be connected.
  mutating func list(_ patch: borrowing some Patching & ~Copyable) {
    do throws(ALSAError) { screen?.model.list(try patch.outlets()) } catch { warn("\(error)") }
  }

  mutating func connect(
    _ outlet: Outlet, to patch: inout some Patching & ~Copyable, at now: HostTime
  ) {
    do throws(ALSAError) {
      try patch.connect(outlet)
      screen?.model.tell(connected: outlet, at: now)
    } catch { warn("not connected: \(error.advised) (\(outlet.name))") }
    show(&patch)
  }

  mutating func disconnect(
    _ outlet: Outlet, from patch: inout some Patching & ~Copyable, at now: HostTime
  ) {
    do throws(ALSAError) {
      try patch.disconnect(outlet, isRolling: screen?.model.state.motion == .rolling)
      screen?.model.tell(disconnected: outlet, at: now)
    } catch { warn("not disconnected: \(error.advised) (\(outlet.name))") }
    show(&patch)
  }
}
