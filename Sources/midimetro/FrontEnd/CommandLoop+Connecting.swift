internal import MIDIClock
internal import MetronomeCore

extension CommandLoop {
  /// Shows who is connected to us, when that has changed.
  mutating func show(_ sequencer: SequencerSession?) {
    guard screen != nil, let sequencer, sequencer.takePatchChange() else { return }
    do throws(ALSAError) {
      let listeners = try sequencer.listeners()
      screen?.model.update { $0.tell(listeners: listeners) }
    } catch { warn("\(error)") }
    if screen?.model.state.portList != nil { list(sequencer) }
  }

  /// Makes and undoes the connections requested in the list of ports.
  mutating func connectPorts(_ sequencer: SequencerSession?, at now: HostTime) {
    for request in screen?.takePortRequests() ?? [] {
      switch request {
      case .listPorts: list(sequencer)
      case .connect(let port): connect(port, to: sequencer, at: now)
      case .disconnect(let port): disconnect(port, from: sequencer, at: now)
      case .action: break
      }
    }
  }

  /// Shows what could be connected.
  private mutating func list(_ sequencer: SequencerSession?) {
    guard let sequencer else { return }
    do throws(ALSAError) { screen?.model.list(try sequencer.connectablePorts()) } catch {
      warn("\(error)")
    }
  }

  private mutating func connect(
    _ outlet: ConnectablePort, to sequencer: SequencerSession?, at now: HostTime
  ) {
    guard let sequencer else { return }
    do throws(ALSAError) {
      try sequencer.connect(outlet)
      screen?.model.tell(connected: outlet, at: now)
    } catch { warn("not connected: \(error.advised) (\(outlet.name))") }
    show(sequencer)
  }

  private mutating func disconnect(
    _ outlet: ConnectablePort, from sequencer: SequencerSession?, at now: HostTime
  ) {
    guard let sequencer else { return }
    do throws(ALSAError) {
      try sequencer.disconnect(outlet, isRolling: screen?.model.state.motion == .rolling)
      screen?.model.tell(disconnected: outlet, at: now)
    } catch { warn("not disconnected: \(error.advised) (\(outlet.name))") }
    show(sequencer)
  }
}
