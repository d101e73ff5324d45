internal import MIDIClock

/// How the value of an option is read, and where it is kept.
struct OptionStore: Sendable {
  typealias Take = @Sendable (inout OptionValues, GivenOption) throws(UsageError) -> Void
  typealias Keep<Value> = @Sendable (inout OptionValues, Value) -> Void

  /// The bounds as help words them, such as `1 to 24`.
  let range: String
  let take: Take

  init(range: String = "", _ take: @escaping Take) {
    self.range = range
    self.take = take
  }

  /// For an option that is asked for with `Arguments.has` or `.value`.
  static let nothing = OptionStore { _, _ in }

  static func flag(_ keep: @escaping @Sendable (inout OptionValues) -> Void) -> OptionStore {
    OptionStore { values, _ in keep(&values) }
  }

  static func whole(_ range: ClosedRange<Int64>, _ keep: @escaping Keep<Int64>) -> OptionStore {
    OptionStore(range: "\(range.lowerBound) to \(range.upperBound)") {
      values, option throws(UsageError) in
      guard let value = Thousandths.parseSigned(option.value), value % 1_000 == 0,
        range.contains(value / 1_000)
      else {
        throw UsageError(
          "\(option.place): '\(option.value)' is not a whole number from \(range.lowerBound) to"
            + " \(range.upperBound)")
      }
      keep(&values, value / 1_000)
    }
  }

  /// A decimal number, kept in thousandths.
  static func decimal(
    _ range: ClosedRange<Int64>, _ unit: String, _ keep: @escaping Keep<Int64>
  ) -> OptionStore {
    OptionStore(range: Thousandths.text(range)) { values, option throws(UsageError) in
      guard let value = Thousandths.parseSigned(option.value), range.contains(value) else {
        throw UsageError(
          "\(option.place): '\(option.value)' is not a number of \(unit) from"
            + " \(Thousandths.text(range)), with at most three decimals after a point")
      }
      keep(&values, value)
    }
  }

  static func milliseconds(
    _ range: ClosedRange<HostTime.Span>, _ keep: @escaping Keep<HostTime.Span>
  ) -> OptionStore {
    let bounds = range.lowerBound.nanoseconds / 1_000...range.upperBound.nanoseconds / 1_000
    return decimal(bounds, "milliseconds") { keep(&$0, .microseconds($1)) }
  }

  static func seconds(
    _ range: ClosedRange<HostTime.Span>, _ keep: @escaping Keep<HostTime.Span>
  ) -> OptionStore {
    let bounds =
      range.lowerBound.nanoseconds / 1_000_000...range.upperBound.nanoseconds / 1_000_000
    return decimal(bounds, "seconds") { keep(&$0, .milliseconds($1)) }
  }

  /// The name of a `what`.
  static func name(_ what: String, _ keep: @escaping Keep<String>) -> OptionStore {
    OptionStore { values, option throws(UsageError) in
      guard option.value.contains(where: { !$0.isWhitespace }) else {
        throw UsageError("\(option.place): '\(option.value)' names no \(what)")
      }
      keep(&values, option.value)
    }
  }

  /// Three whole numbers, for strong, medium and weak clicks.
  static func three(
    _ range: ClosedRange<Int64>, _ what: String, _ keep: @escaping Keep<[UInt8]>
  ) -> OptionStore {
    OptionStore { values, option throws(UsageError) in
      let parts = option.value.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Thousandths.parse($0) }
        .filter { $0 % 1_000 == 0 && range.contains($0 / 1_000) }.map { UInt8($0 / 1_000) }
      guard parts.count == 3, numbers.count == 3 else {
        throw UsageError(
          "\(option.place): '\(option.value)' is not three \(what) (strong,medium,weak) from"
            + " \(range.lowerBound) to \(range.upperBound)")
      }
      keep(&values, numbers)
    }
  }

  static func choice<Value: Sendable>(
    _ choices: [(name: String, value: Value)], _ keep: @escaping Keep<Value>
  ) -> OptionStore {
    OptionStore { values, option throws(UsageError) in
      keep(&values, try Values.choice(option.value, option.place, choices))
    }
  }
}
