internal import MIDIClock

/// The observer that writes lines, plain or JSON, to the standard output.
struct LineWriter: Observer {
  private(set) var reporter: any EventReporter
  var output = OutputBacklog()

  /// Creates a writer that formats events with `reporter`.
  init(_ reporter: any EventReporter) { self.reporter = reporter }

  mutating func take(_ event: SessionEvent, at time: HostTime) {
    add(line(event, at: time))
  }

  /// The line for `event`, if any, to be written later.
  mutating func line(_ event: SessionEvent, at time: HostTime) -> [String] {
    reporter.line(event, at: time).map { [$0] } ?? []
  }

  mutating func add(_ lines: [String]) {
    for line in lines { output.add(line) }
  }
}
