/// The state of a session, for display and output.
///
/// A value derived from the plan's snapshot; nothing else keeps transport state.
public struct SessionState: Sendable {
  /// The plan's snapshot.
  public let snapshot: PlanSnapshot
  /// The number of changes requested and not yet handled.
  public let pendingChanges: UInt64

  init(_ snapshot: PlanSnapshot, asked: UInt64) {
    self.snapshot = snapshot
    pendingChanges = asked > snapshot.handled ? asked - snapshot.handled : 0
  }

  /// The transport state, as performed.
  public var transport: Transport { snapshot.transport }

  /// Whether the song moves, or will once everything planned has been performed.
  public var isPlaying: Bool {
    snapshot.planned.transport != .stopped && !snapshot.planned.hasEnded
  }

  /// Whether it is stopped within the song, where Continue would resume.
  public var isPaused: Bool { !isPlaying && snapshot.planned.resume != .zero }

  /// Bar and beat of the last beat or move.
  public var position: Position { snapshot.performed.position }

  /// The audible tempo or, while stopped, the requested one.
  public var tempo: Tempo {
    transport == .stopped ? snapshot.planned.tempo : snapshot.performed.tempo
  }

  /// The audible pattern or, while stopped, the requested one.
  public var pattern: ClickPattern {
    transport == .stopped ? snapshot.planned.wantedPattern : snapshot.performed.pattern
  }

  /// When pulses go out.
  public var policy: ClockPolicy { snapshot.planned.policy }

  /// Whether the clicks of `route` are muted.
  public func isMuted(_ route: Int) -> Bool { snapshot.planned.isMuted(route) }

  /// The requested offset of `route`; positive is later than the plan.
  public func offset(_ route: Int) -> HostTime.Span { snapshot.planned.offsets[route] }
}
