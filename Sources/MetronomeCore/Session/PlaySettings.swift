public import MIDIClock

/// What to play, and where to send it.
public struct PlaySettings: Sendable {
  /// The song.
  public var score: Score
  /// Where to send it, in addition to whatever is connected to our public ports.
  public var destinations: [Destination] = []
  /// What is sent from our public ports.
  public var general = Route()
  /// When pulses go out.
  public var policy = ClockPolicy.always
  /// The bars that can be begun with, and how many can be asked for.
  public static let bars: ClosedRange<Int64> = 1...1_000_000
  /// The bar begun with, within `bars`.
  public var startBar: Int64 = 1
  /// How many bars can be counted in.
  public static let countIns: ClosedRange<Int64> = 0...99
  /// Bars of clicks before Start, within `countIns`.
  public var countInBars: Int64 = 0
  /// Whether to begin stopped, until a change starts it.
  public var waits = false
  /// Pads and pedals to listen to.
  public var sources: [InputSource] = []
  /// The lengths that a run can be limited to.
  public static let durations = HostTime.Span.milliseconds(1)...HostTime.Span.seconds(1_000_000)
  /// Stop by itself after this long; `nil` for not.
  public var duration: HostTime.Span?
  /// The requested dispatch mode.
  public var dispatch = DispatchMode.auto
  /// The client name shown in patchbays.
  public var clientName = "midimetro"
  /// The click sound, if any.
  public var sound: ClickPlayer?
  /// Whether our own clock is looped back to us, stamped by the kernel, and kept.
  public var measuresItself = false
  /// Records what would be sent, so that no sequencer is needed; destinations and sources count as
  /// routes but are not looked up.
  public var recording: Recording?

  /// Plays `score` to whatever is connected to our public ports.
  public init(score: Score) { self.score = score }

  /// The maximum number of destinations.
  public static var maximumDestinations: Int { RouteTable.maximumDestinations }

  /// The routes, in the planner's order.
  public var table: RouteTable {
    RouteTable(
      destinations: destinations.map(\.route), general: general, soundOffset: sound?.routeOffset,
      isObserved: true)
  }

  /// The plan with pulse 0 at `origin`.
  public func planner(origin: HostTime) -> Planner {
    Planner(
      score: score, routes: table.routes, policy: policy, origin: origin, startBar: startBar,
      countInBars: countInBars, limit: duration.map { .time(origin + $0) } ?? .none, waits: waits)
  }
}

extension [Destination] {
  /// Throws if two destinations are one port of `found` and would both send it the same.
  func refuseRepeated(_ found: [PortInfo]) throws(AddressError) {
    for (later, port) in found.enumerated() {
      for earlier in 0..<later where found[earlier].address == port.address {
        guard !self[earlier].route.contents.isDisjoint(with: self[later].route.contents) else {
          continue
        }
        throw .repeated(text: self[later].address, first: self[earlier].address, port: port)
      }
    }
  }
}
