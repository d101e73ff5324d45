/// A song: passages with one click pattern and one tempo (or ramp) each.
public struct Score: Hashable, Sendable {
  /// A stretch of the song.
  public struct Passage: Hashable, Sendable {
    /// The bars, how they are counted, and their clicks.
    public var span: MeterSpan
    /// The first tick: that of the span, or a later one if only the tempo changes.
    public var start: Tick
    /// The pace at the start.
    public var pace: Pace
    /// The ramp from the start on; `nil` for a constant tempo.
    public var ramp: TempoMap.Ramp?
    /// The part it belongs to; `nil` before the first named part.
    public var part: PlayedPart?

    /// A passage over `span` at `pace`, beginning at `start` or, by default, where the span begins.
    public init(
      span: MeterSpan, start: Tick? = nil, pace: Pace, ramp: TempoMap.Ramp? = nil,
      part: PlayedPart? = nil
    ) {
      self.span = span
      self.start = start ?? span.start
      self.pace = pace
      self.ramp = ramp
      self.part = part
    }
  }

  /// The passages in order, at least one; the last continues to `end`.
  public private(set) var passages: [Passage]
  /// Where the song ends; `nil` if it does not.
  public var end: Tick?
  /// The names of the parts, in the order written.
  public let parts: [String]

  /// One pattern and one tempo (or ramp) from the top, for `bars` bars, or without end if `nil`.
  public init(
    pattern: ClickPattern, tempo: Tempo, bars: Int64? = nil, ramp: TempoMap.Ramp? = nil
  ) {
    let span = MeterSpan(start: .zero, bar: 1, pattern: pattern)
    passages = [Passage(span: span, pace: Pace(tempo), ramp: ramp)]
    end = bars.map { span.start(ofBar: 1 + $0) }
    parts = []
  }

  /// A song of these passages, each beginning after the one before; without an end if `end` is
  /// `nil`.
  ///
  /// Returns `nil` for an empty list.
  public init?(passages: [Passage], end: Tick? = nil, parts: [String] = []) {
    guard !passages.isEmpty else { return nil }
    self.passages = passages
    self.end = end
    self.parts = parts
  }

  /// Appends a passage of `pattern` and `tempo` at bar `bar`, which must come after the last
  /// passage's.
  public mutating func append(
    bar: Int64, pattern: ClickPattern, tempo: Tempo, ramp: TempoMap.Ramp? = nil
  ) {
    let last = passages[passages.count - 1]
    let span = MeterSpan(start: last.span.start(ofBar: bar), bar: bar, pattern: pattern)
    passages.append(Passage(span: span, pace: Pace(tempo), ramp: ramp))
  }

  /// The index of the passage that contains `tick`; 0 for ticks before the top.
  public func index(at tick: Tick) -> Int {
    max(0, passages.partition { tick < $0.start } - 1)
  }

  /// The part that contains `tick`; `nil` before the first named part.
  public func part(at tick: Tick) -> PlayedPart? {
    guard let part = passages[index(at: tick)].part, part.start <= tick else { return nil }
    return part
  }

  /// The name of the part that begins at `tick`, if any.
  public func name(ofPartBegunAt tick: Tick) -> String? {
    guard let part = part(at: tick), part.start == tick else { return nil }
    return parts[part.index]
  }

  /// The bars and clicks at `tick`.
  public func span(at tick: Tick) -> MeterSpan { passages[index(at: tick)].span }

  /// The first tick of bar `number`.
  public func start(ofBar number: Int64) -> Tick {
    let index = max(0, passages.partition { number < $0.span.bar } - 1)
    return passages[index].span.start(ofBar: number)
  }

  /// The song's tempo map, with tick 0 at `origin`.
  public func tempoMap(origin: HostTime = .zero) -> TempoMap {
    var map = TempoMap(pace: passages[0].pace, start: passages[0].start, time: origin)
    for passage in passages {
      if let ramp = passage.ramp {
        map.append(passage.pace, ramp, at: passage.start)
      } else {
        map.append(passage.pace, at: passage.start)
      }
    }
    return map
  }
}
