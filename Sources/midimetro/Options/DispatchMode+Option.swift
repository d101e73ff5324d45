internal import MIDIClock
internal import MetronomeCore

extension DispatchMode {
  init(_ option: GivenOption) throws(UsageError) {
    self = try Values.choice(
      option.value, option.place, DispatchMode.allCases.map { ($0.rawValue, $0) })
  }
}
