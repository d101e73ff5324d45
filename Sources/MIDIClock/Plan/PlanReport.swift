/// What the plan reports to the display and the log, at the instant it takes effect.
public enum PlanReport: Hashable, Sendable {
  /// A clock pulse, for counting; `isRolling` when it advances the position.
  case pulse(isRolling: Bool)
  /// A beat begins.
  case beat(Beat)
  /// Start, from the top.
  case start
  /// Continue, from the position kept.
  case `continue`
  /// Stop.
  case stop
  /// The position moved while stopped.
  case position(SongPosition, Position)
  /// The tempo changes here; reported only when the displayed value differs.
  case tempo(Tempo)

  /// One beat of the meter's unit.
  public struct Beat: Hashable, Sendable {
    /// Bar and beat, from 1; bars 0 and below count in.
    public var position: Position
    /// Its accent.
    public var accent: Accent
    /// The pulse it falls on, from 0 at the top of the song; negative during the count-in.
    public var pulse: Int64
    /// The tempo at this beat.
    public var tempo: Tempo
    /// True during the count-in, before Start.
    public var isCountIn: Bool
    /// The part of the song it belongs to; `nil` before the first named part.
    public var part: PlayedPart?

    /// A beat with these values.
    @_noLocks
    public init(
      position: Position, accent: Accent, pulse: Int64, tempo: Tempo, isCountIn: Bool,
      part: PlayedPart? = nil
    ) {
      self.position = position
      self.accent = accent
      self.pulse = pulse
      self.tempo = tempo
      self.isCountIn = isCountIn
      self.part = part
    }

    /// The part that begins on this beat, if any.
    public var begunPart: PlayedPart? {
      guard !isCountIn, let part, part.start == Tick(pulse: pulse) else { return nil }
      return part
    }
  }
}
