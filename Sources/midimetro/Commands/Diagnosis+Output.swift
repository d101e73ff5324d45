internal import Glibc
internal import MIDIClock
internal import MetronomeCore

extension Diagnosis {
  private func count(_ level: Level) -> Int { findings.count { $0.level == level } }

  /// A line for each check, what mends it below it, and a verdict.
  var text: String {
    var text = ""
    for finding in findings {
      let head = finding.level.rawValue.padded(to: 6) + finding.check.padded(to: 20)
      text += head + finding.detail + "\n"
      if let remedy = finding.remedy { text += "      fix: \(remedy)\n" }
    }
    return text + verdict + "\n"
  }

  private var verdict: String {
    guard status == .done else {
      let failed = findings.filter { $0.level == .fail }.map(\.check).joined(separator: ", ")
      return "midimetro cannot play here: see \(failed)"
    }
    let warnings = Words.count(count(.warn), "warning")
    return "midimetro can play here, dispatch \(dispatch.rawValue); \(warnings)"
  }

  /// An object for each check and a summary, one a line.
  var json: String {
    let lines = findings.map { finding in
      JSON.line(
        .check,
        [
          ("name", .string(finding.check)),
          ("level", .string(finding.level.rawValue)), ("detail", .string(finding.detail)),
          ("remedy", finding.remedy.map { .string($0) } ?? .null),
        ] + finding.values)
    }
    let summary = JSON.line(
      .diagnosis,
      [
        ("can_play", .boolean(status == .done)),
        ("dispatch", .string(dispatch.rawValue)), ("ok", .integer(count(.ok))),
        ("warn", .integer(count(.warn))), ("fail", .integer(count(.fail))),
      ])
    return (lines + [summary]).map { $0 + "\n" }.joined()
  }
}
