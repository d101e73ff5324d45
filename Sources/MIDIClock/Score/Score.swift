/// What is to be played: passages of one click pattern and one tempo (or ramp) each.
public struct Score: Hashable, Sendable {
  /// A stretch of the song.
  public struct Passage: Hashable, Sendable {
    /// Its bars, how they are counted and what clicks in them.
    public var span: MeterSpan
    /// Where it begins: where its span does, or later in it, where the tempo alone changes.
    public var start: Tick
    /// The tempo at its beginning.
    public var tempo: Tempo
    /// How the tempo moves from its beginning on; `nil` when it stays.
    public var ramp: TempoMap.Ramp?

    /// A passage over `span` in `tempo`, from `start` on or from the span's own beginning.
    public init(
      span: MeterSpan, start: Tick? = nil, tempo: Tempo, ramp: TempoMap.Ramp? = nil
    ) {
      self.span = span
      self.start = start ?? span.start
      self.tempo = tempo
      self.ramp = ramp
    }
  }

  /// The passages in order, at least one; the last goes on until `end`.
  public private(set) var passages: [Passage]
  /// Where the song ends; `nil` for never.
  public var end: Tick?

  /// One pattern and one tempo (or ramp) from the top, for `bars` bars or without end.
  public init(
    pattern: ClickPattern, tempo: Tempo, bars: Int64? = nil, ramp: TempoMap.Ramp? = nil
  ) {
    let span = MeterSpan(start: .zero, bar: 1, pattern: pattern)
    passages = [Passage(span: span, tempo: tempo, ramp: ramp)]
    end = bars.map { span.start(ofBar: 1 + $0) }
  }

  /// These passages, in order, each beginning after the one before; without end unless one is given.
  ///
  /// `nil` when there are none.
  public init?(passages: [Passage], end: Tick? = nil) {
    guard !passages.isEmpty else { return nil }
    self.passages = passages
    self.end = end
  }

  /// Adds a passage of `pattern` and `tempo` from bar `bar`, which comes after the last one's.
  public mutating func append(
    bar: Int64, pattern: ClickPattern, tempo: Tempo, ramp: TempoMap.Ramp? = nil
  ) {
    let last = passages[passages.count - 1]
    let span = MeterSpan(start: last.span.start(ofBar: bar), bar: bar, pattern: pattern)
    passages.append(Passage(span: span, tempo: tempo, ramp: ramp))
  }

  /// The number of the passage that `tick` lies in; the first also holds before the top.
  public func index(at tick: Tick) -> Int {
    passages.lastIndex { $0.start <= tick } ?? 0
  }

  /// How bars are counted at `tick`, and what clicks in them.
  public func span(at tick: Tick) -> MeterSpan { passages[index(at: tick)].span }

  /// The first tick of bar `number`.
  public func start(ofBar number: Int64) -> Tick {
    let passage = passages.last { $0.span.bar <= number } ?? passages[0]
    return passage.span.start(ofBar: number)
  }

  /// The song's tempo map, tick 0 at `origin`.
  public func tempoMap(origin: HostTime = .zero) -> TempoMap {
    var map = TempoMap(tempo: passages[0].tempo, start: passages[0].start, time: origin)
    for passage in passages {
      if let ramp = passage.ramp {
        map.appendRamp(
          from: passage.tempo, to: ramp.target, at: passage.start,
          until: Tick(passage.start.count + ramp.ticks))
      } else {
        map.append(passage.tempo, at: passage.start)
      }
    }
    return map
  }
}
