/// One destination and the messages it receives.
public struct Route: Hashable, Sendable {
  /// The kinds of message a route carries.
  public struct Contents: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates contents from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Pulses.
    public static let clock = Contents(rawValue: 1)
    /// Start, Continue, Stop.
    public static let transport = Contents(rawValue: 2)
    /// Song Position.
    public static let position = Contents(rawValue: 4)
    /// Click notes.
    public static let click = Contents(rawValue: 8)
    /// Everything a device can receive.
    public static let all: Contents = [.clock, .transport, .position, .click]
    /// Not for devices: the beats and changes reported to the display and the log.
    static let reports = Contents(rawValue: 128)

    // Repeated for the timing path, where a static property would be a lazy global.
    var hasClock: Bool { @_noLocks get { rawValue & 1 != 0 } }
    var hasTransport: Bool { @_noLocks get { rawValue & 2 != 0 } }
    var hasPosition: Bool { @_noLocks get { rawValue & 4 != 0 } }
    var hasClick: Bool { @_noLocks get { rawValue & 8 != 0 } }
    var hasReports: Bool { @_noLocks get { rawValue & 128 != 0 } }

    /// The kinds, by their names in `--send`.
    public static let named: [(name: String, contents: Contents)] = [
      ("clock", .clock), ("transport", .transport), ("position", .position), ("click", .click),
      ("all", .all),
    ]
  }

  /// How far an offset may be from zero, or from the latency of the route itself.
  public static var offsets: ClosedRange<HostTime.Span> {
    .milliseconds(-500) ... .milliseconds(500)
  }
  /// What the pulse rate can be divided or multiplied by.
  public static var factors: ClosedRange<Int64> { 1...24 }

  /// The kinds of message the route carries.
  public var contents: Contents
  /// The shift of everything against the plan, within `offsets`; negative is earlier.
  public var offset: HostTime.Span
  /// Divides the pulse rate: one pulse for every `divide` pulses of the clock, within `factors`.
  public var divide: Int64
  /// Multiplies the pulse rate: `multiply` pulses for every pulse of the clock, within `factors`.
  public var multiply: Int64
  /// The click notes.
  public var voice: ClickVoice
  /// Whether the clicks are muted, until `PlanChange.mute` unmutes them.
  public var isMuted: Bool

  /// Creates a route; offset, divide and multiply must be within the ranges of their properties.
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

  /// The route without a destination: beats, transport and tempo as reports, and pulses for
  /// counting, at their exact times.
  public static var observer: Route {
    Route(contents: [.reports, .clock])
  }

  /// The position of pulse number `index` of this route; number 0 is the top of the song.
  @_noLocks
  func place(ofPulse index: Int64) -> ExactTick {
    ExactTick(index &* Resolution.ticksPerPulse &* divide, over: multiply)
  }

  /// The first pulse of this route not before `tick`.
  @_noLocks
  func firstPulse(notBefore tick: Tick) -> Int64 {
    Division.ceiling(tick.count &* multiply, by: Resolution.ticksPerPulse &* divide)
  }

  /// The minimum distance between two pulses of this route: half their period at `pace`.
  @_noLocks
  func closestPulses(at pace: Pace) -> HostTime.Span {
    pace.part(divide, over: 2 &* multiply &* Resolution.pulsesPerQuarter)
  }
}
