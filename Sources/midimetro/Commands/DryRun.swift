internal import MIDIClock
internal import MetronomeCore

/// `--dry-run`: the plan in the log format, pulse 0 at time 0.
enum DryRun {
  /// Prints the log.
  static func run(_ options: PlayOptions) throws(Failure) -> ExitStatus {
    var isWhole = true
    run(options) { line in
      isWhole = StandardOutput.write(line + "\n")
      return isWhole
    }
    if !isWhole { try StandardOutput.complainOfOutput() }
    return .done
  }

  /// The log, line by line, until the plan ends or `write` returns false.
  static func run(_ options: PlayOptions, write: (String) -> Bool) {
    let settings = options.settings
    var planner = settings.planner(origin: .zero)
    let names = settings.destinations.map(\.address)
    // Without destinations the plan is that of our own ports, and the log has one port.
    let shown = names.isEmpty ? 0...0 : 0...(names.count - 1)
    for (index, name) in names.enumerated() where names.count > 1 {
      guard write("# @\(index + 1) = \(SequencerName(name).text)") else { return }
    }
    while let event = planner.next {
      planner.advance()
      guard case .send(let message) = event.action, shown.contains(event.route) else { continue }
      let port = names.count > 1 ? String(event.route + 1) : nil
      let line = LogLine(time: event.time, port: port, bytes: message.bytes)
      guard write(line.text) else { return }
    }
  }
}
