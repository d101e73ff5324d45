/// Where each tick of a song falls in time: segments of constant or ramped tempo.
///
/// Every place is computed from the start of its segment with one rounding to a nanosecond;
/// nothing accumulates. A change of tempo is a new segment at the present place.
public struct TempoMap: Sendable {
  /// The segments in order; the first also holds before its start.
  public private(set) var segments: [Segment]

  /// One tempo throughout, from tick `start` at the instant `time`.
  public init(tempo: Tempo, start: Tick = .zero, time: HostTime = .zero) {
    segments = [Segment(tick: start, time: time, tempo: tempo)]
  }

  /// Goes on at `tempo` from `tick`, which is not before the last segment's start.
  public mutating func append(_ tempo: Tempo, at tick: Tick) {
    append(Segment(tick: tick, time: time(of: tick), tempo: tempo))
  }

  /// Goes from `first` to `last` tempo, linear in beats, between `tick` and `end`, and stays there.
  ///
  /// `end` comes after `tick`, and `tick` not before the last segment's start.
  public mutating func appendRamp(from first: Tempo, to last: Tempo, at tick: Tick, until end: Tick)
  {
    append(
      Segment(
        tick: tick, time: time(of: tick), tempo: first,
        ramp: Ramp(target: last, ticks: end.count - tick.count)))
    append(last, at: end)
  }

  private mutating func append(_ segment: Segment) {
    // A second change at one place replaces the first.
    if let last = segments.last, last.tick == segment.tick { segments.removeLast() }
    segments.append(segment)
  }

  /// The segment that `tick` lies in.
  public func segment(at tick: Tick) -> Segment {
    segments.last { $0.tick <= tick } ?? segments[0]
  }

  /// When `tick` is due.
  public func time(of tick: Tick) -> HostTime { segment(at: tick).time(of: ExactTick(tick)) }

  /// The last tick that is due at or before `time`.
  public func tick(at time: HostTime) -> Tick {
    let segment = segments.last { $0.time <= time } ?? segments[0]
    let next = segment.firstTick(notBefore: time)
    return segment.time(of: ExactTick(next)) == time ? next : Tick(next.count - 1)
  }
}

extension TempoMap {
  /// How the tempo moves inside a segment: linear in beats, T(b) = T0 + (T1 - T0) b / B.
  public struct Ramp: Hashable, Sendable {
    /// The tempo at the end.
    public var target: Tempo
    /// The length in ticks, above 0.
    public var ticks: Int64

    /// A ramp to `target` over `ticks` ticks.
    public init(target: Tempo, ticks: Int64) {
      self.target = target
      self.ticks = ticks
    }
  }

  /// A stretch in one tempo or one ramp: a place, its instant, and how it goes on from there.
  public struct Segment: Hashable, Sendable {
    /// The place the segment starts from.
    public var tick: Tick
    /// The instant of that place.
    public var time: HostTime
    /// The tempo there.
    public var tempo: Tempo
    /// How the tempo moves from there; `nil` when it stays.
    public var ramp: Ramp?

    /// A segment from `tick` at the instant `time`.
    @_noLocks
    public init(tick: Tick, time: HostTime, tempo: Tempo, ramp: Ramp? = nil) {
      self.tick = tick
      self.time = time
      self.tempo = tempo
      self.ramp = ramp
    }

    /// When `place` is due: constant tempo exactly rounded; a ramp within 1 ns per 1000 s.
    ///
    /// Constant: time + round(ticks x 60e9 / (960 x BPM)) ns. Ramp over B quarters from T0 by dT:
    /// t(b) = 60 b / T0 x ln(1 + x) / x with x = dT b / (B T0). Before a ramp its first tempo
    /// holds, after it its last. Real-time safe: yes.
    @_noLocks
    public func time(of place: ExactTick) -> HostTime {
      let ticks =
        Int128(place.numerator) - Int128(tick.count) * Int128(place.denominator)
      let denominator = Int128(place.denominator)
      guard let ramp, ticks > 0 else { return time + Self.straight(ticks, denominator, tempo) }
      let beyond = ticks - Int128(ramp.ticks) * denominator
      guard beyond > 0 else {
        let exact = Double(Int64(truncatingIfNeeded: ticks)) / Double(place.denominator)
        return time + curved(exact, ramp)
      }
      return time + curved(Double(ramp.ticks), ramp)
        + Self.straight(beyond, denominator, ramp.target)
    }

    /// How long `ticks / denominator` ticks last at one tempo.
    @_noLocks
    private static func straight(
      _ ticks: Int128, _ denominator: Int128, _ tempo: Tempo
    ) -> HostTime.Span {
      HostTime.Span(
        nanoseconds: Division.rounded(
          ticks * Int128(Tempo.tickNumerator), by: denominator * Int128(tempo.milliBPM)))
    }

    /// How long the first `ticks` ticks of the ramp last, from 0 to all of them.
    @_noLocks
    private func curved(_ ticks: Double, _ ramp: Ramp) -> HostTime.Span {
      let along = ticks / Double(ramp.ticks)
      let x = Double(ramp.target.milliBPM &- tempo.milliBPM) / Double(tempo.milliBPM) * along
      let nanoseconds =
        ticks * Double(Tempo.tickNumerator) / Double(tempo.milliBPM) * Logarithm.log1pOverX(x)
      return HostTime.Span(nanoseconds: Int64(nanoseconds + 0.5))
    }

    /// The first whole tick that is not due before `instant`.
    ///
    /// Real-time safe: yes.
    @_noLocks
    public func firstTick(notBefore instant: HostTime) -> Tick {
      guard let ramp, time < instant else {
        let elapsed = Int128((instant - time).nanoseconds)
        var count =
          tick.count
          &+ Division.floor(elapsed * Int128(tempo.milliBPM), by: Int128(Tempo.tickNumerator)) &- 1
        while time(of: ExactTick(Tick(count))) < instant { count &+= 1 }
        return Tick(count)
      }
      let end = Tick(tick.count &+ ramp.ticks)
      let endTime = time(of: ExactTick(end))
      guard !(endTime < instant) else {
        return Segment(tick: end, time: endTime, tempo: ramp.target).firstTick(notBefore: instant)
      }
      // Time grows with the tick, so halving finds it.
      var low = tick.count
      var high = end.count
      while high &- low > 1 {
        let middle = low &+ (high &- low) / 2
        if time(of: ExactTick(Tick(middle))) < instant { low = middle } else { high = middle }
      }
      return Tick(high)
    }

    /// The tempo at `place`, to the nearest thousandth.
    @_noLocks
    public func tempo(at place: Tick) -> Tempo {
      guard let ramp else { return tempo }
      let ticks = place.count &- tick.count
      if ticks <= 0 { return tempo }
      if ticks >= ramp.ticks { return ramp.target }
      let change = Int128(ramp.target.milliBPM &- tempo.milliBPM) * Int128(ticks)
      return Tempo(
        clamping: tempo.milliBPM &+ Division.rounded(change, by: Int128(ramp.ticks)))
    }
  }
}
