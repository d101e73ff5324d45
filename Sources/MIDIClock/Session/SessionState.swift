/// What a session does, for everyone who shows it or tells of it.
///
/// A value made from the plan's snapshot; nobody keeps a transport of their own.
public struct SessionState: Sendable {
  /// What the plan is and what has been performed of it.
  public private(set) var snapshot: PlanSnapshot
  /// The changes asked for and not handled yet, oldest first.
  public internal(set) var pending: [PlanChange] = []
  private let latencies: [HostTime.Span]
  /// What was asked for, from when the plan has it until it is heard; the plan's own next tempo and
  /// pattern are not shown before their time.
  private var askedTempo: Tempo?
  private var askedPattern: ClickPattern?

  init(_ snapshot: PlanSnapshot, latencies: [HostTime.Span]) {
    self.snapshot = snapshot
    self.latencies = latencies
  }

  /// Takes in `snapshot`, by which `outcomes` have been found.
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

  /// What the transport has done last.
  public var transport: Transport { snapshot.transport }

  /// Whether the song moves, or will when what is planned and asked for has been done.
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

  /// Whether it is stopped within the song, where Continue goes on.
  public var isPaused: Bool {
    let planned = snapshot.planned
    guard transport == .stopped, planned.resume != .zero else { return false }
    return planned.isPlaceKnown || planned.transport != .stopped
  }

  /// Bar and beat of the last beat or place; `nil` before any.
  public var position: Position? {
    snapshot.performed.hasPlace ? snapshot.performed.position : nil
  }

  /// The part of the song that the last beat belongs to.
  public var part: PlayedPart? { snapshot.performed.part }

  /// How many beats are left before the Start, the present one included; 0 when none counts in.
  public var countInBeats: Int64 {
    guard transport == .armed else { return 0 }
    let (position, beats) = (snapshot.performed.position, pattern.meter.beats)
    return -position.bar * beats + beats - position.beat + 1
  }

  /// The tempo asked for, once it is planned; else the one heard, or while stopped the planned one.
  public var tempo: Tempo {
    askedTempo
      ?? (transport == .stopped ? snapshot.planned.tempo : snapshot.performed.tempo)
  }

  /// The pattern asked for, once it is planned; else the one heard, or while stopped the planned one.
  public var pattern: ClickPattern {
    askedPattern
      ?? (transport == .stopped ? snapshot.planned.wantedPattern : snapshot.performed.pattern)
  }

  /// When pulses go out.
  public var policy: ClockPolicy { snapshot.planned.policy }

  /// Whether the clicks of `route` are left out.
  public func isMuted(_ route: Int) -> Bool { snapshot.planned.isMuted(route) }

  /// How much later than the plan `route` is set to be, counted from its own latency.
  public func offset(_ route: Int) -> HostTime.Span {
    snapshot.planned.offsets[route] - latency(route)
  }

  func latency(_ route: Int) -> HostTime.Span {
    latencies.indices.contains(route) ? latencies[route] : .zero
  }
}
