internal import MIDIClock
internal import MetronomeCore

/// What `bench` was asked, all of it valid.
struct BenchOptions: Hashable, Sendable {
  var tempo = Tempo.standard
  var duration = HostTime.Span.seconds(10)
  var dispatch = DispatchMode.auto
  var isJSON = false

  init(_ arguments: Arguments) throws(UsageError) {
    for option in arguments.options {
      let (value, place) = (option.value, option.place)
      switch option.name {
      case .bpm: tempo = try Values.tempo(value, place)
      case .duration: duration = try Values.duration(value, place)
      case .dispatch: dispatch = try DispatchMode(option)
      case .json: isJSON = true
      default: break
      }
    }
    if let text = try arguments.tempoOperand() { tempo = try Values.tempo(text, "tempo") }
  }
}
