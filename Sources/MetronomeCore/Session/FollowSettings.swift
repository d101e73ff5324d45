public import MIDIClock

/// Which clock is followed, how, and where it is passed on to.
public struct FollowSettings: Sendable {
  /// The source's address; `nil` for the first port that clocks.
  public var source: String?
  /// Where the regenerated clock goes.
  public var destinations: [Destination] = []
  /// What leaves from the ports that others connect to.
  public var general = Route()
  /// Whether pulses are passed on while stopped too.
  public var policy = ClockPolicy.always
  /// What is counted and clicks.
  public var meters = MeterMap(.common)
  /// Whether the count is corrected where pulses were lost or doubled on the way.
  public var repairs = false
  /// The silences that `lostAfter` can be.
  public static let silences = HostTime.Span.milliseconds(10)...HostTime.Span.seconds(3_600)
  /// The silence after which the clock counts as lost; `nil` for the follower's own rule.
  public var lostAfter: HostTime.Span?
  /// The name patchbays show.
  public var clientName = "midimetro"
  /// What voices the clicks, if anything does.
  public var sound: ClickPlayer?

  /// Follows whatever clocks first, and passes it to whoever connects.
  public init() {}

  /// The routes, in the regenerator's order.
  var table: RouteTable {
    RouteTable(
      destinations: destinations.map(\.route), general: general, soundOffset: sound?.routeOffset,
      isObserved: false)
  }
}
