/// What the plan tells the display and the log, at the instant it is true.
public enum PlanReport: Hashable, Sendable {
  /// A pulse of the clock, to be counted; `isRolling` when it moves the place.
  case pulse(isRolling: Bool)
  /// A beat begins.
  case beat(Beat)
  /// Start: from the top.
  case start
  /// Continue: from the place kept.
  case `continue`
  /// Stop.
  case stop
  /// The place moved while stopped.
  case position(SongPosition, Position)
  /// A new tempo holds from here, told when it differs as shown.
  case tempo(Tempo)

  /// One beat of the meter's unit.
  public struct Beat: Hashable, Sendable {
    /// Bar and beat, from 1; bars 0 and below count in.
    public var position: Position
    /// How it is accented.
    public var accent: Accent
    /// The pulse it falls on, from 0 at the top of the song; negative while counting in.
    public var pulse: Int64
    /// The tempo at that place.
    public var tempo: Tempo
    /// True before the Start.
    public var isCountIn: Bool
    /// The part of the song that it belongs to; `nil` where none has a name.
    public var part: PlayedPart?

    /// A beat of its parts.
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

    /// The part that begins with this beat; `nil` when none does.
    public var begunPart: PlayedPart? {
      guard !isCountIn, let part, part.start == Tick(pulse: pulse) else { return nil }
      return part
    }
  }
}
