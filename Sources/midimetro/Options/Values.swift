internal import MIDIClock

/// Reading the values of options; `place` is where a value stands, for messages.
enum Values {
  static func whole(_ text: String, _ place: String, _ range: ClosedRange<Int64>)
    throws(UsageError) -> Int64
  {
    guard let value = Thousandths.parseSigned(text), value % 1_000 == 0,
      range.contains(value / 1_000)
    else {
      throw UsageError(
        "\(place): '\(text)' is not a whole number from \(range.lowerBound) to"
          + " \(range.upperBound)")
    }
    return value / 1_000
  }

  /// `span` as options have it.
  static func milliseconds(_ span: HostTime.Span) -> String {
    Thousandths.text(span.nanoseconds / 1_000)
  }

  /// A decimal number as thousandths.
  static func decimal(
    _ text: String, _ place: String, _ range: ClosedRange<Int64>, _ unit: String
  ) throws(UsageError) -> Int64 {
    guard let value = Thousandths.parseSigned(text), range.contains(value) else {
      throw UsageError(
        "\(place): '\(text)' is not a number of \(unit) from"
          + " \(Thousandths.text(range.lowerBound)) to \(Thousandths.text(range.upperBound)),"
          + " with at most three decimals after a point")
    }
    return value
  }

  static func tempo(_ text: String, _ place: String) throws(UsageError) -> Tempo {
    do throws(Tempo.TextError) { return try Tempo(text: text) } catch {
      throw UsageError("\(place): \(error)")
    }
  }

  /// The values for strong, medium and weak clicks.
  static func three(
    _ text: String, _ place: String, _ range: ClosedRange<Int64>, _ what: String
  ) throws(UsageError) -> [UInt8] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Thousandths.parse($0) }
      .filter { $0 % 1_000 == 0 && range.contains($0 / 1_000) }.map { UInt8($0 / 1_000) }
    guard parts.count == 3, values.count == 3 else {
      throw UsageError(
        "\(place): '\(text)' is not three \(what) (strong,medium,weak) from"
          + " \(range.lowerBound) to \(range.upperBound)")
    }
    return values
  }

  static func choice<Value>(
    _ text: String, _ place: String, _ choices: [(name: String, value: Value)]
  ) throws(UsageError) -> Value {
    guard let found = choices.first(where: { $0.name == text }) else {
      let names = choices.map(\.name)
      throw UsageError(
        "\(place): '\(text)' is none of \(names.joined(separator: ", "))"
          + Spelling.hint(text, among: names))
    }
    return found.value
  }

  static func contents(_ text: String, _ place: String) throws(UsageError) -> Route.Contents {
    var contents: Route.Contents = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      contents.formUnion(
        try choice(
          String(word), place, Route.Contents.named.map { (name: $0.name, value: $0.contents) }))
    }
    return contents
  }

  /// The name of a file or a driver.
  static func name(_ text: String, _ place: String, _ what: String) throws(UsageError) -> String {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw UsageError("\(place): '\(text)' names no \(what)")
    }
    return text
  }
}
