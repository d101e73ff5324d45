internal import MIDIClock
internal import MetronomeCore

extension Route.Contents {
  /// As `--send` names it.
  var spelled: String {
    if self == .all { return "all" }
    return Self.named.filter { $0.contents != .all && contains($0.contents) }.map(\.name)
      .joined(separator: ",")
  }
}
