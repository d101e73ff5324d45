/// What is to be played: passages of one click pattern and one tempo (or ramp) each.
public struct Score: Hashable, Sendable {
  /// A stretch of the song.
  public struct Passage: Hashable, Sendable {
    /// Its bars, how they are counted and what clicks in them.
    public var span: MeterSpan
    /// Where it begins: where its span does, or later in it, where the tempo alone changes.
    public var start: Tick
    /// The pace at its beginning.
    public var pace: Pace
    /// How the tempo moves from its beginning on; `nil` when it stays.
    public var ramp: TempoMap.Ramp?
    /// The part that it belongs to; `nil` before the first named one.
    public var part: PlayedPart?

    /// A passage over `span` at `pace`, from `start` on or from the span's own beginning.
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

  /// The passages in order, at least one; the last goes on until `end`.
  public private(set) var passages: [Passage]
  /// Where the song ends; `nil` for never.
  public var end: Tick?
  /// The names of its parts, in the order written.
  public let parts: [String]

  /// One pattern and one tempo (or ramp) from the top, for `bars` bars or without end.
  public init(
    pattern: ClickPattern, tempo: Tempo, bars: Int64? = nil, ramp: TempoMap.Ramp? = nil
  ) {
    let span = MeterSpan(start: .zero, bar: 1, pattern: pattern)
    passages = [Passage(span: span, pace: Pace(tempo), ramp: ramp)]
    end = bars.map { span.start(ofBar: 1 + $0) }
    parts = []
  }

  /// These passages, in order, each beginning after the one before; without end unless one is given.
  ///
  /// `nil` when there are none.
  public init?(passages: [Passage], end: Tick? = nil, parts: [String] = []) {
    guard !passages.isEmpty else { return nil }
    self.passages = passages
    self.end = end
    self.parts = parts
  }

  /// Adds a passage of `pattern` and `tempo` from bar `bar`, which comes after the last one's.
  public mutating func append(
    bar: Int64, pattern: ClickPattern, tempo: Tempo, ramp: TempoMap.Ramp? = nil
  ) {
    let last = passages[passages.count - 1]
    let span = MeterSpan(start: last.span.start(ofBar: bar), bar: bar, pattern: pattern)
    passages.append(Passage(span: span, pace: Pace(tempo), ramp: ramp))
  }

  /// The number of the passage that `tick` lies in; the first also holds before the top.
  public func index(at tick: Tick) -> Int {
    max(0, passages.partition { tick < $0.start } - 1)
  }

  /// The part that `tick` lies in; `nil` before the first named one.
  public func part(at tick: Tick) -> PlayedPart? {
    guard let part = passages[index(at: tick)].part, part.start <= tick else { return nil }
    return part
  }

  /// The name of the part that begins at `tick`; `nil` when none does.
  public func name(ofPartBegunAt tick: Tick) -> String? {
    guard let part = part(at: tick), part.start == tick else { return nil }
    return parts[part.index]
  }

  /// How bars are counted at `tick`, and what clicks in them.
  public func span(at tick: Tick) -> MeterSpan { passages[index(at: tick)].span }

  /// The first tick of bar `number`.
  public func start(ofBar number: Int64) -> Tick {
    let index = max(0, passages.partition { number < $0.span.bar } - 1)
    return passages[index].span.start(ofBar: number)
  }

  /// The song's tempo map, tick 0 at `origin`.
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
