public import MIDIClock

/// Which clock to follow, how, and where to pass it on.
public struct FollowSettings: Sendable {
  /// The source's address; `nil` for the first port that sends a clock.
  public var source: String?
  /// Where to send the regenerated clock.
  public var destinations: [Destination] = []
  /// What is sent from our public ports.
  public var general = Route()
  /// Whether pulses are passed on while stopped too.
  public var policy = ClockPolicy.always
  /// The meters to count and click.
  public var meters = MeterMap(.common)
  /// Whether the count is corrected when pulses were lost or doubled on the way.
  public var repairs = false
  /// The silences that `lostAfter` can be.
  public static let silences = HostTime.Span.milliseconds(10)...HostTime.Span.seconds(3_600)
  /// The silence after which the clock counts as lost; `nil` for the follower's own rule.
  public var lostAfter: HostTime.Span?
  /// Pulses of the source per quarter note: 24, or a multiple of it.
  public var sourceResolution: Int64 = 24
  /// The client name shown in patchbays.
  public var clientName = "midimetro"
  /// The click sound, if any.
  public var sound: ClickPlayer?

  /// Follows the first port that sends a clock, and passes it on to our public ports.
  public init() {}

  /// The routes, in the regenerator's order.
  var table: RouteTable {
    RouteTable(
      destinations: destinations.map(\.route), general: general, soundOffset: sound?.routeOffset,
      isObserved: false)
  }
}
