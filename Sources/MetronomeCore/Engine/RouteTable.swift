public import MIDIClock

/// The routes of a session: what each carries, where it goes, and its name.
///
/// Only this type knows the numbers of routes. The order is: destinations, the public ports, the
/// sound if there is one, the observer if there is one. At the same instant messages leave before
/// reports.
public struct RouteTable: Sendable {
  /// One route.
  struct Entry: Sendable {
    let route: Route
    var sink = Sink.none
    /// Whether the lateness of its pulses is measured.
    ///
    /// Destinations are measured or, without any, our public ports: ports without listeners are
    /// served last.
    let isMeasured: Bool
    /// The full name of the destination; `nil` for a route that is not one destination's own.
    var name: String?
  }

  /// The routes, by number.
  private(set) var entries: [Entry]
  /// The number of the route of our public ports.
  public let general: Int
  /// The number of the sound's route; `nil` without sound.
  public let sound: Int?

  /// The maximum number of destinations: all routes but the other three.
  public static var maximumDestinations: Int { Planner.maximumRoutes - 3 }

  /// The table for `destinations` and the `general` route.
  ///
  /// `soundOffset` is the offset of the sound's route, `nil` without sound; `isObserved` says
  /// whether the plan's reports have a route.
  init(
    destinations: [Route], general: Route, soundOffset: HostTime.Span?, isObserved: Bool
  ) {
    entries = destinations.map { Entry(route: $0, isMeasured: true) }
    self.general = entries.count
    entries.append(Entry(route: general, isMeasured: destinations.isEmpty))
    if let soundOffset {
      sound = entries.count
      // The driver's buffer is longer than it takes to send a message: sound is planned ahead.
      let heard = Route(contents: .click, offset: soundOffset, voice: general.voice)
      entries.append(Entry(route: heard, sink: .sound, isMeasured: false))
    } else {
      sound = nil
    }
    if isObserved { entries.append(Entry(route: .observer, isMeasured: false)) }
  }

  /// The routes, in the planner's order.
  public var routes: [Route] { entries.map(\.route) }

  /// The full names of the destinations, in order.
  public var destinationNames: [String] { entries.compactMap(\.name) }

  /// The full name of the destination that route `number` belongs to; `nil` for any other route.
  public func name(of number: Int) -> String? {
    entries.indices.contains(number) ? entries[number].name : nil
  }

  /// Sends route `number` from these ports, and names it after the port it leads to.
  mutating func send(_ number: Int, clock: PortNumber, click: PortNumber, to name: String? = nil) {
    entries[number].sink = .sequencer(clock: clock, click: click)
    entries[number].name = name
  }

  /// Records every route that would need the sequencer.
  mutating func record() {
    for number in 0...general { entries[number].sink = .recording }
  }

  /// The routes that the engine performs itself even if the others are queued, bit n for route n.
  var localRoutes: UInt16 {
    var bits: UInt16 = 0
    for (number, entry) in entries.enumerated() where entry.sink != .none && !entry.sink.isQueued {
      bits |= 1 << UInt16(number)
    }
    return bits
  }
}
