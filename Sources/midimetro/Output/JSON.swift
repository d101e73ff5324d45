internal import MIDIClock

/// JSON objects as text; keys in the order given.
enum JSON {
  /// A value in its JSON spelling.
  struct Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, Sendable
  {
    let text: String
    /// The members of an object; empty for everything else.
    let members: [(String, Value)]

    init(text: String, members: [(String, Value)] = []) {
      self.text = text
      self.members = members
    }
    init(stringLiteral value: String) { self.init(text: JSON.quoted(value)) }
    init(integerLiteral value: Int64) { self.init(text: String(value)) }
    init(booleanLiteral value: Bool) { self.init(text: String(value)) }

    static func string(_ value: String) -> Value { Value(text: JSON.quoted(value)) }
    static func integer(_ value: some BinaryInteger) -> Value { Value(text: String(value)) }
    static func boolean(_ value: Bool) -> Value { Value(text: String(value)) }
    static let null = Value(text: "null")

    /// Seconds with as many of nine decimals as it takes, at least one.
    static func seconds(_ span: HostTime.Span) -> Value {
      Value(text: JSON.decimal(span.nanoseconds, places: 9))
    }
    /// Microseconds, to the nanosecond.
    static func microseconds(_ span: HostTime.Span) -> Value {
      Value(text: JSON.decimal(span.nanoseconds, places: 3))
    }
    static func tempo(_ tempo: Tempo) -> Value {
      Value(text: JSON.decimal(tempo.milliBPM, places: 3))
    }
    /// A measured number with at most `places` decimals.
    static func rounded(_ value: Double, places: Int) -> Value {
      Value(text: JSON.rounded(value, places: places))
    }
    /// A measured number of units of `places` decimals, such as nanoseconds as microseconds with three.
    static func units(_ value: Double, places: Int) -> Value {
      Value(text: JSON.decimal(rounding: value, places: places))
    }
    static func list(_ values: [Value]) -> Value {
      Value(text: "[" + values.map(\.text).joined(separator: ",") + "]")
    }
    static func object(_ members: [(String, Value)]) -> Value {
      Value(text: JSON.object(members), members: members)
    }
  }

  /// A line of `type`, whose members are checked against the table in debug builds.
  ///
  /// A number that is not finite is left out where its member may be.
  static func line(_ type: EventType, _ members: [(String, Value)]) -> String {
    let members = members.filter { type.field($0)?.mustBeLeftOut($1) != true }
    assert(type.fault(in: members) == nil, type.fault(in: members) ?? "")
    return object([("type", .string(type.name))] + members)
  }

  /// `{"key":value,...}` on one line.
  static func object(_ members: [(String, Value)]) -> String {
    "{" + members.map { "\(quoted($0)):\($1.text)" }.joined(separator: ",") + "}"
  }

  /// `value` with its decimal point `places` digits from the right, without needless zeros.
  static func decimal(_ value: Int64, places: Int) -> String {
    var digits = String(value.magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let whole = digits.dropLast(places)
    var fraction = digits.suffix(places)
    while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
    return (value < 0 ? "-" : "") + whole + "." + fraction
  }

  /// `value` rounded to `places` decimals, without needless zeros; `null` when it is not finite.
  static func rounded(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
    return decimal(rounding: value * scale, places: places)
  }

  /// `value`, rounded, with its decimal point `places` digits from the right; `null` when it is not
  /// finite, and the largest number there is when it is too large.
  static func decimal(rounding value: Double, places: Int) -> String {
    guard value.isFinite else { return "null" }
    // Int64.max itself is no Double.
    let most = 9_223_372_036_854_774_784.0
    return decimal(Int64(max(-most, min(most, value.rounded()))), places: places)
  }

  /// A JSON string; control characters escaped (RFC 8259, section 7).
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
