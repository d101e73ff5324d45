extension Score {
  /// The last bar up to `number` that begins where Song Position can point; `nil` if there is none.
  ///
  /// Takes linear time.
  public func lastBar(notAfter number: Int64) -> Int64? {
    var bar = number
    var index = index(at: start(ofBar: number))
    let greatest = Int64(SongPosition.maximum) * Resolution.ticksPerMIDIBeat
    while bar > 0, index >= 0 {
      let span = passages[index].span
      let length = span.pattern.meter.ticksPerBar
      bar = min(bar, span.bar + Division.floor(greatest - span.start.count, by: length))
      // Bars are whole 32nds long, so of two in a row one begins on a sixteenth, or none does.
      for candidate in [bar, bar - 1] where candidate >= span.bar {
        if SongPosition(exactly: span.start(ofBar: candidate)) != nil { return candidate }
      }
      bar = min(bar, span.bar - 1)
      index -= 1
    }
    return nil
  }
}
