/// What a command was asked, all of it valid: the values of its options, under their own names, and
/// what follows from them.
@dynamicMemberLookup
protocol CommandOptions: Sendable {
  var values: OptionValues { get }
}

extension CommandOptions {
  subscript<Value>(dynamicMember path: KeyPath<OptionValues, Value>) -> Value {
    values[keyPath: path]
  }
}
