/// A strict JSON parser (RFC 8259) that also refuses duplicate keys.
struct StrictJSON {
  indirect enum Value: Hashable {
    case null, bool(Bool), number(String), string(String), array([Value])
    case object([String: Value])

    subscript(key: String) -> Value? {
      if case .object(let members) = self { return members[key] }
      return nil
    }
  }

  struct Malformed: Error {
    let place: Int
  }

  private let text: [Unicode.Scalar]
  private var place = 0

  /// Parses `text`, which must be exactly one value.
  static func parse(_ text: String) throws -> Value {
    var reader = StrictJSON(text: Array(text.unicodeScalars))
    let value = try reader.value()
    guard reader.place == reader.text.count else { throw reader.malformed }
    return value
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private var malformed: Malformed { Malformed(place: place) }
  private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
    guard next == wanted else { return false }
    place += 1
    return true
  }

  private mutating func word(_ word: String, _ value: Value) throws -> Value {
    for scalar in word.unicodeScalars where !take(scalar) { throw malformed }
    return value
  }

  private mutating func value() throws -> Value {
    switch next {
    case "n": return try word("null", .null)
    case "t": return try word("true", .bool(true))
    case "f": return try word("false", .bool(false))
    case "\"": return .string(try string())
    case "[": return try array()
    case "{": return try object()
    default: return .number(try number())
    }
  }

  private mutating func array() throws -> Value {
    var values: [Value] = []
    _ = take("[")
    if take("]") { return .array([]) }
    repeat { values.append(try value()) } while take(",")
    guard take("]") else { throw malformed }
    return .array(values)
  }

  private mutating func object() throws -> Value {
    var members: [String: Value] = [:]
    _ = take("{")
    if take("}") { return .object([:]) }
    repeat {
      let key = try string()
      guard take(":"), members[key] == nil else { throw malformed }
      members[key] = try value()
    } while take(",")
    guard take("}") else { throw malformed }
    return .object(members)
  }

  private mutating func string() throws -> String {
    guard take("\"") else { throw malformed }
    var result = String.UnicodeScalarView()
    while let scalar = next {
      place += 1
      switch scalar {
      case "\"": return String(result)
      case "\\": result.append(try escape())
      case _ where scalar.value < 0x20: throw malformed
      default: result.append(scalar)
      }
    }
    throw malformed
  }

  private mutating func escape() throws -> Unicode.Scalar {
    let plain: [Unicode.Scalar: Unicode.Scalar] = [
      "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r",
      "t": "\t",
    ]
    guard let scalar = next else { throw malformed }
    place += 1
    if let meant = plain[scalar] { return meant }
    guard scalar == "u", place + 4 <= text.count else { throw malformed }
    let digits = String(String.UnicodeScalarView(text[place..<place + 4]))
    place += 4
    guard let code = UInt32(digits, radix: 16), let meant = Unicode.Scalar(code) else {
      throw malformed
    }
    return meant
  }

  private mutating func digits() throws -> String {
    var result = ""
    while let scalar = next, ("0"..."9").contains(scalar) {
      result.unicodeScalars.append(scalar)
      place += 1
    }
    guard !result.isEmpty else { throw malformed }
    return result
  }

  private mutating func number() throws -> String {
    let sign = take("-") ? "-" : ""
    let whole = try digits()
    guard whole == "0" || !whole.hasPrefix("0") else { throw malformed }
    return sign + whole + (take(".") ? "." + (try digits()) : "")
  }
}
