/// The functions of pads and pedals other than tapping.
public struct PadControls: Hashable, Sendable {
  /// The function of a press.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Stops if playing, continues if stopped.
    case toggle
    /// Stops and keeps the position.
    case stop
    /// Continues from the position at which it stopped.
    case `continue`
    /// Restarts from the top; on the next beat if playing.
    case restart
    /// Taps, regardless of the tap options.
    case tap
  }

  /// One pad or pedal and its function.
  public struct Binding: Hashable, Sendable {
    /// The pad or pedal.
    public var kind: PadHit.Kind
    /// The channel, 0 to 15; `nil` for any.
    public var channel: UInt8?
    /// The function.
    public var action: Action

    /// Creates a binding.
    public init(kind: PadHit.Kind, channel: UInt8?, action: Action) {
      self.kind = kind
      self.channel = channel
      self.action = action
    }
  }

  /// The bindings; if a pad has several, the last one applies.
  public var bindings: [Binding]

  /// Creates controls from `bindings`.
  public init(_ bindings: [Binding] = []) { self.bindings = bindings }

  /// The function of the pad in `hit`; `nil` if it has none.
  public func action(of hit: PadHit) -> Action? {
    bindings.last {
      $0.kind == hit.kind && ($0.channel == nil || $0.channel == hit.channel)
    }?.action
  }
}

extension PadControls.Binding {
  /// Parses `note:37=toggle`, `note:37@10=stop` (channel 10 only) or `cc:64=restart`; `nil` for
  /// anything else.
  public init?(text: some StringProtocol) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, let action = PadControls.Action(rawValue: String(sides[1])) else {
      return nil
    }
    let target = sides[0].split(separator: "@", omittingEmptySubsequences: false)
    var channel: UInt8?
    if target.count == 2 {
      guard let number = Digits.parse(target[1]), MIDIMessage.channels.contains(number) else {
        return nil
      }
      channel = UInt8(number - 1)
    }
    let parts = target[0].split(separator: ":", omittingEmptySubsequences: false)
    guard target.count <= 2, parts.count == 2, let number = Digits.parse(parts[1]),
      MIDIMessage.numbers.contains(number)
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
