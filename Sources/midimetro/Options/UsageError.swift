/// A command line or config file that cannot be used: what, where, and what to do.
struct UsageError: Error, Hashable {
  /// One line for each thing that is wrong, at least one.
  let lines: [String]
  /// How the program ends for it: what a file holds is not a matter of usage.
  var status = ExitStatus.usage

  /// Whatever a user typed may stand in `message`: control characters become marks, so that one
  /// error is one line and no terminal obeys it.
  init(_ message: String) { lines = [Self.printable(message)] }

  /// Everything that is wrong with a file.
  init(lines: [String], _ status: ExitStatus = .usage) {
    self.lines = lines.map(Self.printable)
    self.status = status
  }

  var message: String { lines.joined(separator: "\n") }

  private static func printable(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }
}
