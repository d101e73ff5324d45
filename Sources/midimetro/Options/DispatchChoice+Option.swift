internal import MIDIClock
internal import MetronomeCore

extension DispatchChoice {
  init(_ option: GivenOption) throws(UsageError) {
    self = try Values.choice(
      option.value, option.place, DispatchChoice.allCases.map { ($0.rawValue, $0) })
  }
}
