/// A command line or config file that cannot be used: what, where, and what to do.
struct UsageError: Error, Hashable {
  /// One line for each thing that is wrong, at least one.
  let lines: [String]
  /// How the program ends for it: what a file holds is not a matter of usage.
  var status = ExitStatus.usage

  /// Whatever a user typed may stand in `message`: control characters become marks, so that one
  /// error is one line and no terminal obeys it.
  init(_ message: String) { lines = [Words.printable(message)] }

  /// Everything that is wrong with a file.
  init(lines: [String], _ status: ExitStatus = .usage) {
    self.lines = lines.map { Words.printable($0) }
    self.status = status
  }

  var message: String { lines.joined(separator: "\n") }
}
