internal import MIDIClock
internal import MetronomeCore

/// What `bench` was asked, all of it valid.
struct BenchOptions: CommandOptions {
  private(set) var values: OptionValues

  init(_ arguments: Arguments) throws(UsageError) {
    values = try OptionValues([], arguments.options)
    if let text = try arguments.tempoOperand() { values.tempo = try Values.tempo(text, "tempo") }
    values.duration = values.duration ?? .seconds(10)
    values.playing.score = Score(pattern: .common, tempo: values.tempo)
    values.playing.general.contents = [.clock, .transport]
    values.playing.measuresItself = true
  }
}
