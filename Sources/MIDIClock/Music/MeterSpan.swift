/// A stretch of song in one click pattern: its first tick and the number of its first bar.
public struct MeterSpan: Hashable, Sendable {
  /// The first tick of the stretch, a bar line.
  public var start: Tick
  /// The number of the bar that begins there.
  public var bar: Int64
  /// The clicks of each bar.
  public var pattern: ClickPattern

  /// A stretch in `pattern` from `start`, the first tick of bar `bar`.
  @_noLocks
  public init(start: Tick, bar: Int64, pattern: ClickPattern) {
    self.start = start
    self.bar = bar
    self.pattern = pattern
  }

  /// Bar, beat and tick of `tick` in this stretch; bars count down before its start.
  @_noLocks
  public func position(of tick: Tick) -> Position {
    let meter = pattern.meter
    let ticks = tick.count &- start.count
    let bars = Division.floor(ticks, by: meter.ticksPerBar)
    let inBar = ticks &- bars &* meter.ticksPerBar
    var position = Position(bar: 0, beat: 0)
    position.bar = bar &+ bars
    position.beat = inBar / meter.ticksPerBeat &+ 1
    position.tick = inBar % meter.ticksPerBeat
    return position
  }

  /// The tick of `position`, extending this stretch's meter.
  public func tick(of position: Position) -> Tick {
    let meter = pattern.meter
    return Tick(
      start.count + (position.bar - bar) * meter.ticksPerBar
        + (position.beat - 1) * meter.ticksPerBeat + position.tick)
  }

  /// The first tick of bar `number`.
  @_noLocks
  public func start(ofBar number: Int64) -> Tick {
    Tick(start.count &+ (number &- bar) &* pattern.meter.ticksPerBar)
  }

  /// The exact tick of click `index`, counted from 0 at the start of the stretch.
  @_noLocks
  func place(ofClick index: Int64) -> ExactTick {
    let offset = pattern.offset(ofClick: index)
    return ExactTick(
      offset.numerator &+ start.count &* offset.denominator, over: offset.denominator)
  }

  /// The first click at or after `tick`.
  @_noLocks
  func firstClick(notBefore tick: Tick) -> Int64 {
    let meter = pattern.meter
    let beat = Division.floor(tick.count &- start.count, by: meter.ticksPerBeat)
    var index = beat &* pattern.subdivision
    while place(ofClick: index).isBefore(tick) { index &+= 1 }
    return index
  }
}
