internal import MetronomeCore

/// `midimetro ports`: the sequencer's ports in alsa-utils' columns, or as JSON.
enum Ports {
  static func run(isJSON: Bool) throws(Failure) -> ExitStatus {
    let sequencer: Sequencer
    let ports: [PortInfo]
    do throws(ALSAError) {
      sequencer = try Sequencer.open(clientName: "midimetro")
      ports = try sequencer.ports()
    } catch { throw Failure(error) }
    guard isJSON else {
      StandardOutput.write(PortListing.text(of: ports, excluding: sequencer.clientNumber))
      return .done
    }
    for port in ports where port.address.client != sequencer.clientNumber {
      if let line = json(port) { StandardOutput.write(line + "\n") }
    }
    return .done
  }

  /// The line for `port`; `nil` for one that nobody can connect to.
  static func json(_ port: PortInfo) -> String? {
    let uses = [("to", PortUse.destination), ("from", PortUse.source)]
      .filter { port.suits($0.1) }.map { JSON.Value.string($0.0) }
    guard !uses.isEmpty else { return nil }
    return JSON.line(
      .listedPort,
      [
        ("address", .string(port.address.description)),
        ("client", .string(port.clientName.text)), ("port", .string(port.name.text)),
        ("use", .list(uses)),
      ])
  }
}
