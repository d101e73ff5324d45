public import MIDIClock

/// What is to be played, and where to.
public struct PlaySettings: Sendable {
  /// What is played.
  public var score: Score
  /// Where to, besides whatever others connect to our ports.
  public var destinations: [Destination] = []
  /// What leaves from the ports that others connect to.
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
  /// Whether it begins stopped, until a change starts it.
  public var waits = false
  /// What is heard: pads and pedals.
  public var sources: [InputSource] = []
  /// The lengths that a run can be limited to.
  public static let durations = HostTime.Span.milliseconds(1)...HostTime.Span.seconds(1_000_000)
  /// Stop by itself after this long; `nil` for not.
  public var duration: HostTime.Span?
  /// The way of dispatch wanted.
  public var dispatch = DispatchMode.auto
  /// The name patchbays show.
  public var clientName = "midimetro"
  /// What voices the clicks, if anything does.
  public var sound: ClickPlayer?
  /// Whether our own clock is sent back to us and kept, stamped by the kernel.
  public var measuresItself = false
  /// Takes what would be sent, so that no sequencer is needed; destinations and sources count as
  /// routes but are not looked for.
  public var recording: Recording?

  /// Plays `score` to whoever connects to our ports.
  public init(score: Score) { self.score = score }

  /// The most destinations there can be.
  public static var maximumDestinations: Int { RouteTable.maximumDestinations }

  /// The routes, in the planner's order.
  public var table: RouteTable {
    RouteTable(
      destinations: destinations.map(\.route), general: general, soundOffset: sound?.routeOffset,
      isObserved: true)
  }

  /// The plan with pulse 0 on `origin`.
  public func planner(origin: HostTime) -> Planner {
    Planner(
      score: score, routes: table.routes, policy: policy, origin: origin, startBar: startBar,
      countInBars: countInBars, limit: duration.map { .time(origin + $0) } ?? .none, waits: waits)
  }
}

extension [Destination] {
  /// Refuses two that are one port, `found` for each, and would both send it the same.
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
