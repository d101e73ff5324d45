@testable import MIDIClock

// Maps and passages with typed tempos.

extension TempoMap {
  init(tempo: Tempo, start: Tick = .zero, time: HostTime = .zero) {
    self.init(pace: Pace(tempo), start: start, time: time)
  }

  mutating func append(_ tempo: Tempo, at tick: Tick) { append(Pace(tempo), at: tick) }

  mutating func appendRamp(from first: Tempo, to last: Tempo, at tick: Tick, until end: Tick) {
    append(Pace(first), Ramp(target: last, ticks: end.count - tick.count), at: tick)
  }
}

extension TempoMap.Ramp {
  init(target: Tempo, ticks: Int64) { self.init(target: Pace(target), ticks: ticks) }
}

extension TempoMap.Segment {
  init(tick: Tick, time: HostTime, tempo: Tempo, ramp: TempoMap.Ramp? = nil) {
    self.init(tick: tick, time: time, pace: Pace(tempo), ramp: ramp)
  }
}
