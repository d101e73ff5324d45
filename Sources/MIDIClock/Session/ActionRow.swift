/// One row of the table of actions: an action's name, its argument and the jobs it exists in.
///
/// Keys and external controls refer to this table by name.
public struct ActionRow: Sendable {
  /// The name, the same wherever actions are named.
  public let name: String
  /// The argument it takes.
  public let argument: Argument
  private let make: @Sendable (Value) -> Action?

  /// The kind of argument an action takes.
  public enum Argument: Hashable, Sendable {
    /// Nothing.
    case none
    /// A whole number in this range.
    case number(ClosedRange<Int64>)
    /// A tempo.
    case tempo
    /// A meter.
    case meter
    /// A route.
    case route
    /// A route, and a whole number in this range.
    case routeAndNumber(ClosedRange<Int64>)
    /// A text.
    case text

    /// An example of this kind.
    fileprivate var example: Value {
      switch self {
      case .none: .none
      case .number(let range): .number(range.lowerBound)
      case .tempo: .tempo(.standard)
      case .meter: .meter(.common)
      case .route: .route(0)
      case .routeAndNumber(let range): .routeAndNumber(0, range.lowerBound)
      case .text: .text("")
      }
    }
  }

  /// The argument passed to an action.
  public enum Value: Hashable, Sendable {
    /// Nothing.
    case none
    /// A whole number.
    case number(Int64)
    /// A tempo.
    case tempo(Tempo)
    /// A meter.
    case meter(Meter)
    /// A route.
    case route(Int)
    /// A route and a whole number.
    case routeAndNumber(Int, Int64)
    /// A text.
    case text(String)
  }

  private init(
    _ name: String, _ argument: Argument = .none,
    _ make: @escaping @Sendable (Value) -> Action?
  ) {
    self.name = name
    self.argument = argument
    self.make = make
  }

  private init(_ name: String, _ action: Action) {
    self.init(name, .none) { _ in action }
  }

  private init(
    _ name: String, _ range: ClosedRange<Int64>,
    _ make: @escaping @Sendable (Int64) -> Action
  ) {
    self.init(name, .number(range)) { value in
      guard case .number(let number) = value else { return nil }
      return make(number)
    }
  }

  /// Returns the action with `value`; `nil` if the value has the wrong kind or is out of range.
  public func action(_ value: Value = .none) -> Action? {
    switch (argument, value) {
    case (.none, .none), (.tempo, .tempo), (.meter, .meter), (.route, .route), (.text, .text):
      return make(value)
    case (.number(let range), .number(let number)),
      (.routeAndNumber(let range), .routeAndNumber(_, let number)):
      return range.contains(number) ? make(value) : nil
    default: return nil
    }
  }

  /// The jobs in which the action exists.
  public var jobs: Set<Job> { make(argument.example)?.jobs ?? [] }

  /// Returns the row called `name`, if it exists in `job`.
  public static func named(_ name: String, in job: Job) -> ActionRow? {
    all.first { $0.name == name && $0.jobs.contains(job) }
  }

  private static let whole = -Tempo.range.upperBound...Tempo.range.upperBound

  /// The table.
  public static let all: [ActionRow] = [
    ActionRow("start", .start), ActionRow("continue", .continue), ActionRow("stop", .stop),
    ActionRow("stop-to-top", .stopToTop), ActionRow("toggle", .toggle),
    ActionRow("tap", .tap),
    ActionRow("tempo", .tempo) { if case .tempo(let tempo) = $0 { .tempo(tempo) } else { nil } },
    ActionRow("tempo-step", whole) { .tempoStep($0) },
    ActionRow("meter", .meter) { if case .meter(let meter) = $0 { .meter(meter) } else { nil } },
    ActionRow("meter-step", -32...32) { .meterStep($0) },
    ActionRow("accent", 1...32) { .accent($0) },
    ActionRow("subdivision-step", -24...24) { .subdivisionStep($0) },
    ActionRow("swing-step", -25...25) { .swingStep($0) },
    ActionRow("nudge", -500...500) { .nudge($0) },
    ActionRow("clock", .clock),
    ActionRow("mute", .route) { if case .route(let route) = $0 { .mute(route) } else { nil } },
    ActionRow("offset-step", .routeAndNumber(-1_000...1_000)) {
      if case .routeAndNumber(let route, let step) = $0 { .offsetStep(route, step) } else { nil }
    },
    ActionRow("volume-step", -200...200) { .volumeStep($0) },
    ActionRow("sound-set", .soundSet),
    ActionRow("panic", .panic),
    ActionRow("save", .text) { if case .text(let name) = $0 { .save(name) } else { nil } },
    ActionRow("quit", .quit),
  ]
}
