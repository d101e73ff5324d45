/// Maps the ticks of a song to time, in segments of constant or ramped tempo.
///
/// Every time is computed from the start of its segment with one rounding to a nanosecond, so
/// errors do not accumulate. A tempo change begins a new segment.
public struct TempoMap: Sendable {
  /// The segments in order; the first also applies before its start.
  public private(set) var segments: [Segment]

  /// A map with one tempo, with tick `start` at the instant `time`.
  public init(pace: Pace, start: Tick = .zero, time: HostTime = .zero) {
    segments = [Segment(tick: start, time: time, pace: pace)]
  }

  /// Continues at `pace` from `tick`, which must not precede the last segment's start but may be
  /// inside its ramp.
  public mutating func append(_ pace: Pace, at tick: Tick) {
    append(Segment(tick: tick, time: time(of: tick), pace: pace))
  }

  /// Ramps from `first` to the tempo of `ramp`, linear in beats, from `tick` on, and stays there.
  ///
  /// `tick` must not precede the last segment's start but may be inside its ramp.
  public mutating func append(_ first: Pace, _ ramp: Ramp, at tick: Tick) {
    append(Segment(tick: tick, time: time(of: tick), pace: first, ramp: ramp))
    append(ramp.target, at: Tick(tick.count + ramp.ticks))
  }

  private mutating func append(_ segment: Segment) {
    // A second change at the same tick replaces the first, and cuts off a longer ramp.
    while let last = segments.last, last.tick >= segment.tick { segments.removeLast() }
    segments.append(segment)
  }

  /// The segment that contains `tick`.
  public func segment(at tick: Tick) -> Segment {
    segments[max(0, segments.partition { tick < $0.tick } - 1)]
  }

  /// When `tick` is due.
  public func time(of tick: Tick) -> HostTime { segment(at: tick).time(of: ExactTick(tick)) }

  /// The last tick that is due at or before `time`.
  public func tick(at time: HostTime) -> Tick {
    let segment = segments[max(0, segments.partition { time < $0.time } - 1)]
    let next = segment.firstTick(notBefore: time)
    return segment.time(of: ExactTick(next)) == time ? next : Tick(next.count - 1)
  }
}

extension TempoMap {
  /// A tempo ramp inside a segment, linear in beats: T(b) = T0 + (T1 - T0) b / B.
  public struct Ramp: Hashable, Sendable {
    /// The pace at the end.
    public var target: Pace
    /// The length in ticks, above 0.
    public var ticks: Int64

    /// A ramp to `target` over `ticks` ticks.
    public init(target: Pace, ticks: Int64) {
      self.target = target
      self.ticks = ticks
    }
  }

  /// A stretch of one tempo or one ramp, anchored at a tick and its instant.
  public struct Segment: Hashable, Sendable {
    /// The first tick.
    public var tick: Tick
    /// The instant of that tick.
    public var time: HostTime
    /// The pace at that tick.
    public var pace: Pace
    /// The ramp from there on; `nil` for a constant tempo.
    public var ramp: Ramp?

    /// A segment from `tick` at the instant `time`.
    @_noLocks
    public init(tick: Tick, time: HostTime, pace: Pace, ramp: Ramp? = nil) {
      self.tick = tick
      self.time = time
      self.pace = pace
      self.ramp = ramp
    }

    /// When `place` is due: exact but for one rounding at constant tempo, within 1 ns per 1000 s in
    /// a ramp.
    ///
    /// Constant: time + round(ticks x pace / 960) ns. Ramp over B quarters from T0 by dT: t(b) = 60
    /// b / T0 x ln(1 + x) / x with x = dT b / (B T0). Before a ramp its first tempo applies, after
    /// it the last. Real-time safe: yes.
    @_noLocks
    public func time(of place: ExactTick) -> HostTime {
      let ticks =
        Int128(place.numerator) - Int128(tick.count) * Int128(place.denominator)
      let denominator = Int128(place.denominator)
      guard let ramp, ticks > 0 else {
        return time + pace.duration(ofTicks: ticks, over: denominator)
      }
      let beyond = ticks - Int128(ramp.ticks) * denominator
      guard beyond > 0 else {
        let exact = Double(Int64(truncatingIfNeeded: ticks)) / Double(place.denominator)
        return time + curved(exact, ramp)
      }
      return time + curved(Double(ramp.ticks), ramp)
        + ramp.target.duration(ofTicks: beyond, over: denominator)
    }

    /// The duration of the first `ticks` ticks of the ramp, from 0 to all of them.
    @_noLocks
    private func curved(_ ticks: Double, _ ramp: Ramp) -> HostTime.Span {
      let along = ticks / Double(ramp.ticks)
      let x = pace.change(to: ramp.target) * along
      let nanoseconds = ticks * pace.tickLength * Logarithm.log1pOverX(x)
      return HostTime.Span(nanoseconds: Int64(nanoseconds + 0.5))
    }

    /// The first whole tick due at or after `instant`.
    ///
    /// Real-time safe: yes.
    @_noLocks
    public func firstTick(notBefore instant: HostTime) -> Tick {
      guard let ramp, time < instant else {
        var count = tick.count &+ pace.ticks(in: instant - time) &- 1
        while time(of: ExactTick(Tick(count))) < instant { count &+= 1 }
        return Tick(count)
      }
      let end = Tick(tick.count &+ ramp.ticks)
      let endTime = time(of: ExactTick(end))
      guard endTime >= instant else {
        return Segment(tick: end, time: endTime, pace: ramp.target).firstTick(notBefore: instant)
      }
      // Binary search: time increases with the tick.
      var low = tick.count
      var high = end.count
      while high &- low > 1 {
        let middle = low &+ (high &- low) / 2
        if time(of: ExactTick(Tick(middle))) < instant { low = middle } else { high = middle }
      }
      return Tick(high)
    }

    /// The pace at `place`: exact, but inside a ramp the pace of the displayed tempo.
    @_noLocks
    public func pace(at place: Tick) -> Pace {
      guard let ramp else { return pace }
      let ticks = place.count &- tick.count
      if ticks <= 0 { return pace }
      if ticks >= ramp.ticks { return ramp.target }
      return Pace(tempo(at: place))
    }

    /// The displayed tempo at `place`, to the nearest thousandth.
    @_noLocks
    public func tempo(at place: Tick) -> Tempo {
      guard let ramp else { return pace.tempo }
      let ticks = place.count &- tick.count
      if ticks <= 0 { return pace.tempo }
      if ticks >= ramp.ticks { return ramp.target.tempo }
      let first = pace.tempo.milliBPM
      let change = Int128(ramp.target.tempo.milliBPM &- first) * Int128(ticks)
      return Tempo(clamping: first &+ Division.rounded(change, by: Int128(ramp.ticks)))
    }
  }
}
