/// One destination and what reaches it.
public struct Route: Hashable, Sendable {
  /// The kinds of message a route carries.
  public struct Contents: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Contents of the given bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Pulses.
    public static let clock = Contents(rawValue: 1)
    /// Start, Continue, Stop.
    public static let transport = Contents(rawValue: 2)
    /// Song Position.
    public static let position = Contents(rawValue: 4)
    /// Click notes.
    public static let click = Contents(rawValue: 8)
    /// Everything a device is sent.
    public static let all: Contents = [.clock, .transport, .position, .click]
    /// Not for devices: the beats and changes that the display and the log are told.
    static let reports = Contents(rawValue: 128)

    // The same questions for the timing path, where a static property would be a lazy global.
    var hasClock: Bool { @_noLocks get { rawValue & 1 != 0 } }
    var hasTransport: Bool { @_noLocks get { rawValue & 2 != 0 } }
    var hasPosition: Bool { @_noLocks get { rawValue & 4 != 0 } }
    var hasClick: Bool { @_noLocks get { rawValue & 8 != 0 } }
    var hasReports: Bool { @_noLocks get { rawValue & 128 != 0 } }

    /// The kinds by the names of `--send`.
    public static let named: [(name: String, contents: Contents)] = [
      ("clock", .clock), ("transport", .transport), ("position", .position), ("click", .click),
      ("all", .all),
    ]
  }

  /// What the route carries.
  public var contents: Contents
  /// How much later (or, below zero, earlier) than the plan everything leaves; -500 to 500 ms.
  public var offset: HostTime.Span
  /// One pulse for so many of the clock's, 1 to 24.
  public var divide: Int64
  /// So many pulses for one of the clock's, 1 to 24.
  public var multiply: Int64
  /// The click notes.
  public var voice: ClickVoice
  /// Whether the clicks are left out until `PlanChange.mute` brings them in.
  public var isMuted: Bool

  /// A route for `contents`; offset, divide and multiply within the ranges of their fields.
  public init(
    contents: Contents = .all, offset: HostTime.Span = .zero, divide: Int64 = 1,
    multiply: Int64 = 1, voice: ClickVoice = .standard, isMuted: Bool = false
  ) {
    self.contents = contents
    self.offset = offset
    self.divide = divide
    self.multiply = multiply
    self.voice = voice
    self.isMuted = isMuted
  }

  /// The route that nobody hears: beats, transport and tempo as reports, and pulses to be counted,
  /// at their own instants.
  public static var observer: Route {
    Route(contents: [.reports, .clock])
  }

  /// Where pulse number `index` of this route falls; the zeroth is the top of the song.
  @_noLocks
  func place(ofPulse index: Int64) -> ExactTick {
    ExactTick(index &* Resolution.ticksPerPulse &* divide, over: multiply)
  }

  /// The first pulse of this route that does not come before `tick`.
  @_noLocks
  func firstPulse(notBefore tick: Tick) -> Int64 {
    Division.ceiling(tick.count &* multiply, by: Resolution.ticksPerPulse &* divide)
  }

  /// Half this route's pulse period at `pace`: the closest two of its pulses may ever come.
  @_noLocks
  func closestPulses(at pace: Pace) -> HostTime.Span {
    pace.part(divide, over: 2 &* multiply &* Resolution.pulsesPerQuarter)
  }
}
