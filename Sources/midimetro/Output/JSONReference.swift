/// The reference of the lines that `--json` writes: `midimetro help json`, docs/JSON.md.
enum JSONReference {
  /// The whole document, in Markdown.
  static var text: String {
    """
    # JSON lines

    With `--json` midimetro writes one JSON object a line. Every line has a `type`; its other members
    are listed here, in the order in which they are written. `a.b` is the member `b` of the object `a`.
    Later versions may add types and members, so ignore what you do not know. They will not change or
    remove any.

    Times are in seconds. The last line of a command that runs is its `summary`.

    """ + EventType.all.map(section).joined()
  }

  private static func section(_ type: EventType) -> String {
    let verbs = type.verbs.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    let rows = type.fields.map { field in
      row(field) + field.members.map { row($0, in: "\(field.key).") }.joined()
    }
    return """

      ## `\(type.name)`

      Written by \(verbs): \(type.when).

      | member | value | meaning |
      |---|---|---|
      \(rows.joined())
      """
  }

  /// The row of a member, which is inside an object where `path` is not empty.
  private static func row(_ field: EventField, in path: String = "") -> String {
    let unit = field.unit.isEmpty ? "" : ", \(field.unit)"
    let null = field.presence.canBeNull ? " or null" : ""
    let absent = field.presence.canBeAbsent ? "; may be absent" : ""
    return
      "| `\(path)\(field.key)` | \(field.kind.rawValue)\(unit)\(null)\(absent) |"
      + " \(field.meaning) |\n"
  }
}
