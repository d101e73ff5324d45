/// What pads and pedals do besides tapping.
public struct PadControls: Hashable, Sendable {
  /// What a press does.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Stops what plays, goes on with what is stopped.
    case toggle
    /// Stops, keeping the place.
    case stop
    /// Goes on from the place kept.
    case `continue`
    /// From the top, on the next beat when playing.
    case restart
    /// Taps, whatever the tap options say.
    case tap
  }

  /// One pad or pedal and what it does.
  public struct Binding: Hashable, Sendable {
    /// What is pressed.
    public var kind: PadHit.Kind
    /// Its channel, 0 to 15; `nil` for any.
    public var channel: UInt8?
    /// What it does.
    public var action: Action

    /// A binding of its parts.
    public init(kind: PadHit.Kind, channel: UInt8?, action: Action) {
      self.kind = kind
      self.channel = channel
      self.action = action
    }
  }

  /// The bindings; of several for one pad the last counts.
  public var bindings: [Binding]

  /// Pads that do what `bindings` say.
  public init(_ bindings: [Binding] = []) { self.bindings = bindings }

  /// What the pad of `hit` does; `nil` when it is bound to nothing.
  public func action(of hit: PadHit) -> Action? {
    bindings.last {
      $0.kind == hit.kind && ($0.channel == nil || $0.channel == hit.channel)
    }?.action
  }
}

extension PadControls.Binding {
  /// Reads `note:37=toggle`, `note:37@10=stop` (channel 10 alone) or `cc:64=restart`; `nil` for
  /// anything else.
  public init?(text: some StringProtocol) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, let action = PadControls.Action(rawValue: String(sides[1])) else {
      return nil
    }
    let place = sides[0].split(separator: "@", omittingEmptySubsequences: false)
    var channel: UInt8?
    if place.count == 2 {
      guard let number = Digits.parse(place[1]), (1...16).contains(number) else { return nil }
      channel = UInt8(number - 1)
    }
    let parts = place[0].split(separator: ":", omittingEmptySubsequences: false)
    guard place.count <= 2, parts.count == 2, let number = Digits.parse(parts[1]),
      (0...127).contains(number)
    else { return nil }
    switch parts[0] {
    case "note": kind = .note(UInt8(number))
    case "cc": kind = .controller(UInt8(number))
    default: return nil
    }
    self.channel = channel
    self.action = action
  }
}
