@testable import midimetro

extension StrictJSON {
  /// What is wrong with `line`, as `verb` writes it, by the table of docs/JSON.md.
  static func faults(in line: String, of verb: Verb) throws -> [String] {
    guard case .object(var members) = try parse(line),
      case .string(let name)? = members.removeValue(forKey: "type")
    else { return ["it has no type"] }
    guard let type = EventType.all.first(where: { $0.name == name && $0.verbs.contains(verb) })
    else { return ["\(verb.rawValue) writes no \(name)"] }
    return faults(in: members, type.fields)
  }

  private static func faults(in members: [String: Value], _ fields: [EventField]) -> [String] {
    let unknown = members.keys.filter { key in !fields.contains { $0.key == key } }
    return unknown.map { "\($0) is not in the table" }
      + fields.flatMap { field -> [String] in
        guard let value = members[field.key] else {
          return field.presence.canBeAbsent ? [] : ["\(field.key) is missing"]
        }
        if case .object(let inner) = value, field.kind == .object {
          return faults(in: inner, field.members)
        }
        return isOfKind(value, field) ? [] : ["\(field.key) is \(value)"]
      }
  }

  private static func isOfKind(_ value: Value, _ field: EventField) -> Bool {
    switch (value, field.kind) {
    case (.null, _): field.presence.canBeNull
    case (.string, .text), (.bool, .boolean), (.number, .number): true
    case (.number(let text), .integer): Int64(text) != nil
    case (.array(let values), .texts):
      values.allSatisfy { if case .string = $0 { true } else { false } }
    case (.array(let values), .integers):
      values.allSatisfy { if case .number(let text) = $0 { Int64(text) != nil } else { false } }
    default: false
    }
  }
}
