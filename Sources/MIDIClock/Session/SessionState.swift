/// What a session does, for everyone who shows it or tells of it.
///
/// A value made from the plan's snapshot; nobody keeps a transport of their own.
public struct SessionState: Sendable {
  /// What the plan is and what has been performed of it.
  public let snapshot: PlanSnapshot
  /// How many changes have been asked for and not been handled yet.
  public let pendingChanges: UInt64

  init(_ snapshot: PlanSnapshot, asked: UInt64) {
    self.snapshot = snapshot
    pendingChanges = asked > snapshot.handled ? asked - snapshot.handled : 0
  }

  /// What the transport has done last.
  public var transport: Transport { snapshot.transport }

  /// Whether the song moves, or will when what is planned has been performed.
  public var isPlaying: Bool {
    snapshot.planned.transport != .stopped && !snapshot.planned.hasEnded
  }

  /// Whether it is stopped within the song, where Continue would go on.
  public var isPaused: Bool { !isPlaying && snapshot.planned.resume != .zero }

  /// Bar and beat of the last beat or place.
  public var position: Position { snapshot.performed.position }

  /// The tempo heard, or while stopped the one asked for.
  public var tempo: Tempo {
    transport == .stopped ? snapshot.planned.tempo : snapshot.performed.tempo
  }

  /// The pattern heard, or while stopped the one asked for.
  public var pattern: ClickPattern {
    transport == .stopped ? snapshot.planned.wantedPattern : snapshot.performed.pattern
  }

  /// When pulses go out.
  public var policy: ClockPolicy { snapshot.planned.policy }

  /// Whether the clicks of `route` are left out.
  public func isMuted(_ route: Int) -> Bool { snapshot.planned.isMuted(route) }

  /// How much later than the plan `route` is to be.
  public func offset(_ route: Int) -> HostTime.Span { snapshot.planned.offsets[route] }
}
