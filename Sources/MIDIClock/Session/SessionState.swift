/// The state of a session, for display and output.
///
/// A value derived from the plan's snapshot; nothing else keeps transport state.
public struct SessionState: Sendable {
  /// What the plan is and what has been performed of it.
  public private(set) var snapshot: PlanSnapshot
  /// The changes requested and not yet handled, oldest first.
  public internal(set) var pending: [PlanChange] = []
  private let latencies: [HostTime.Span]
  /// The tempo and pattern requested, from when the plan has them until they are heard.
  ///
  /// What the score itself brings next is not shown early.
  private var askedTempo: Tempo?
  private var askedPattern: ClickPattern?

  init(_ snapshot: PlanSnapshot, latencies: [HostTime.Span]) {
    self.snapshot = snapshot
    self.latencies = latencies
  }

  /// Takes in `snapshot`, in which `outcomes` are the newest.
  mutating func take(_ snapshot: PlanSnapshot, after outcomes: [ChangeOutcome]) {
    self.snapshot = snapshot
    let (planned, performed) = (snapshot.planned, snapshot.performed)
    for outcome in outcomes where outcome.outcome == .applied {
      switch outcome.change {
      case .tempo, .tempoStep: askedTempo = planned.tempo
      case .pattern, .edit: askedPattern = planned.wantedPattern
      default: break
      }
    }
    if askedTempo != planned.tempo || askedTempo == performed.tempo { askedTempo = nil }
    if askedPattern != planned.wantedPattern || askedPattern == performed.pattern {
      askedPattern = nil
    }
  }

  /// The transport state, as performed.
  public var transport: Transport { snapshot.transport }

  /// Whether the song plays, or will once everything planned and requested has been performed.
  public var isPlaying: Bool {
    guard !snapshot.planned.hasEnded else { return false }
    var plays = snapshot.planned.transport != .stopped
    for change in pending {
      switch change {
      case .toggle: plays.toggle()
      case .transport(.start), .transport(.continue), .startOnBeat: plays = true
      case .transport(.stop), .stopToTop: plays = false
      default: break
      }
    }
    return plays
  }

  /// Whether it is stopped within the song, so that Continue goes on from there.
  public var isPaused: Bool {
    let planned = snapshot.planned
    guard transport == .stopped, planned.resume != .zero else { return false }
    return planned.isPlaceKnown || planned.transport != .stopped
  }

  /// Bar and beat of the last beat or position; `nil` before the first.
  public var position: Position? {
    snapshot.performed.hasPlace ? snapshot.performed.position : nil
  }

  /// The part of the song that the last beat belongs to.
  public var part: PlayedPart? { snapshot.performed.part }

  /// Beats left before the Start, including the present one; 0 without a count-in.
  public var countInBeats: Int64 {
    guard transport == .armed else { return 0 }
    let (position, beats) = (snapshot.performed.position, pattern.meter.beats)
    return -position.bar * beats + beats - position.beat + 1
  }

  /// The requested tempo once it is planned; otherwise the one heard, or while stopped the planned
  /// one.
  public var tempo: Tempo {
    askedTempo
      ?? (transport == .stopped ? snapshot.planned.tempo : snapshot.performed.tempo)
  }

  /// The requested pattern once it is planned; otherwise the one heard, or while stopped the
  /// planned one.
  public var pattern: ClickPattern {
    askedPattern
      ?? (transport == .stopped ? snapshot.planned.wantedPattern : snapshot.performed.pattern)
  }

  /// When pulses go out.
  public var policy: ClockPolicy { snapshot.planned.policy }

  /// Whether the clicks of `route` are muted.
  public func isMuted(_ route: Int) -> Bool { snapshot.planned.isMuted(route) }

  /// The offset set for `route`, relative to its own latency.
  public func offset(_ route: Int) -> HostTime.Span {
    snapshot.planned.offsets[route] - latency(route)
  }

  func latency(_ route: Int) -> HostTime.Span {
    latencies.indices.contains(route) ? latencies[route] : .zero
  }
}
