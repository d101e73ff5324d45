internal import MIDIClock

/// Reading the values of options; `place` is where a value stands, for messages.
enum Values {
  /// `span` as options have it.
  static func milliseconds(_ span: HostTime.Span) -> String {
    Thousandths.text(span.nanoseconds / 1_000)
  }

  static func tempo(_ text: String, _ place: String) throws(UsageError) -> Tempo {
    do throws(Tempo.TextError) { return try Tempo(text: text) } catch {
      throw UsageError("\(place): \(error)")
    }
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
}
