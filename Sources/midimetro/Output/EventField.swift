/// One member of a JSON line: its key, what its value is, and when it is there.
struct EventField: Sendable {
  /// What a value is, as docs/JSON.md says it.
  enum Kind: String, Sendable {
    case text, integer, number, boolean, object
    case texts = "list of texts"
    case integers = "list of integers"
  }

  /// When the member is there.
  enum Presence: Hashable, Sendable {
    case always
    /// Always there, and `null` while there is nothing to say.
    case nullable
    /// Left out where it does not apply.
    case optional
    /// Left out where it does not apply, else perhaps `null`.
    case nullableOptional

    var canBeNull: Bool { self == .nullable || self == .nullableOptional }
    var canBeAbsent: Bool { self == .optional || self == .nullableOptional }
  }

  let key: String
  let kind: Kind
  /// `s`, `us`, `BPM`; empty for what has none.
  let unit: String
  let presence: Presence
  let meaning: String
  /// What an object has in it.
  let members: [EventField]

  init(
    _ key: String, _ kind: Kind, _ unit: String = "", _ presence: Presence = .always,
    _ meaning: String, members: [EventField] = []
  ) {
    self.key = key
    self.kind = kind
    self.unit = unit
    self.presence = presence
    self.meaning = meaning
    self.members = members
  }

  /// What is wrong with `members` of something called `name` that has `fields`; `nil` when nothing is.
  static func fault(
    in members: [(String, JSON.Value)], of name: String, _ fields: [EventField]
  ) -> String? {
    for (key, value) in members {
      guard let field = fields.first(where: { $0.key == key }) else {
        return "\(name) has no member \(key)"
      }
      guard field.takes(value) else {
        return "\(name): \(key) is \(value.text), not \(field.kind.rawValue)"
      }
      if field.kind == .object,
        let fault = fault(in: value.members, of: "\(name).\(key)", field.members)
      {
        return fault
      }
    }
    let keys = members.map(\.0)
    let missing = fields.first { !$0.presence.canBeAbsent && !keys.contains($0.key) }
    return missing.map { "\(name) lacks \($0.key)" }
  }

  /// Whether `value` is a null that is never written, and the member may be absent.
  func mustBeLeftOut(_ value: JSON.Value) -> Bool {
    value.text == "null" && !presence.canBeNull && presence.canBeAbsent
  }

  /// Whether `value` is of this field's kind.
  func takes(_ value: JSON.Value) -> Bool {
    let text = value.text
    if text == "null" { return presence.canBeNull }
    return switch (kind, text.utf8.first) {
    case (.text, UInt8(ascii: "\"")), (.texts, UInt8(ascii: "[")), (.integers, UInt8(ascii: "[")),
      (.object, UInt8(ascii: "{")):
      true
    case (.boolean, _): text == "true" || text == "false"
    case (.integer, _): Int64(text) != nil
    case (.number, _): Double(text) != nil
    default: false
    }
  }
}
