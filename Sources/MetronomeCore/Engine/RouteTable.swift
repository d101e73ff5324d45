public import MIDIClock

/// The routes of a session: what each carries, where it goes and what it is called.
///
/// The only place that knows which number a route has. The destinations come first, then the ports
/// that anybody may connect to, then the sound if there is one, then the observer if there is one:
/// at one instant the messages leave before the reports.
public struct RouteTable: Sendable {
  /// One route.
  struct Entry: Sendable {
    let route: Route
    var sink = Sink.none
    /// Whether the lateness of its pulses counts.
    ///
    /// That of the destinations does, or that of our own ports when there are none: what leaves for
    /// nobody leaves last.
    let isMeasured: Bool
    /// The full name of the destination; `nil` for a route that has none to itself.
    var name: String?
  }

  /// By number.
  private(set) var entries: [Entry]
  /// The number of the route whose ports anybody may connect to.
  public let general: Int
  /// The number of the sound's route; `nil` when nothing sounds here.
  public let sound: Int?

  /// The most destinations there can be: the routes less the other three.
  public static var maximumDestinations: Int { Planner.maximumRoutes - 3 }

  /// The table for `destinations` and the `general` route.
  ///
  /// `soundOffset` is the offset of the sound's route, `nil` when nothing sounds here; `isObserved`
  /// says whether the plan's reports have a route.
  init(
    destinations: [Route], general: Route, soundOffset: HostTime.Span?, isObserved: Bool
  ) {
    entries = destinations.map { Entry(route: $0, isMeasured: true) }
    self.general = entries.count
    entries.append(Entry(route: general, isMeasured: destinations.isEmpty))
    if let soundOffset {
      sound = entries.count
      // The driver's buffer is longer than the time to send a message: sound is planned ahead.
      let heard = Route(contents: .click, offset: soundOffset, voice: general.voice)
      entries.append(Entry(route: heard, sink: .sound, isMeasured: false))
    } else {
      sound = nil
    }
    if isObserved { entries.append(Entry(route: .observer, isMeasured: false)) }
  }

  /// The routes, in the planner's order.
  public var routes: [Route] { entries.map(\.route) }

  /// The full names of the destinations, in the order given.
  public var destinationNames: [String] { entries.compactMap(\.name) }

  /// The full name of the destination that route `number` is for; `nil` for every other route.
  public func name(of number: Int) -> String? {
    entries.indices.contains(number) ? entries[number].name : nil
  }

  /// Sends route `number` from these ports of ours, and gives it the name of the port it leads to.
  mutating func send(_ number: Int, clock: PortNumber, click: PortNumber, to name: String? = nil) {
    entries[number].sink = .sequencer(clock: clock, click: click)
    entries[number].name = name
  }

  /// Records every route that would need the sequencer.
  mutating func record() {
    for number in 0...general { entries[number].sink = .recording }
  }

  /// The routes that the engine performs itself though the rest is queued, bit n for route n.
  var localRoutes: UInt16 {
    var bits: UInt16 = 0
    for (number, entry) in entries.enumerated() where entry.sink != .none && !entry.sink.isQueued {
      bits |= 1 << UInt16(number)
    }
    return bits
  }
}
