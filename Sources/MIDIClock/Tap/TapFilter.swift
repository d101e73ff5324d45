/// Decides which hits are taps: any key and the three pedals, or the chosen pads, pedals and
/// channels.
///
/// Fixed size; real-time safe.
public struct TapFilter: Hashable, Sendable {
  /// How a hit is classified.
  public enum Verdict: Hashable, Sendable {
    /// A tap.
    case tap
    /// The release of a control that taps.
    case release
    /// Not chosen, or too soft.
    case filtered
    /// A note also used for clicks, which may be a click fed back.
    case ownClick
  }

  private var keys = Numbers()
  private var controllers = Numbers()
  private var channels = Numbers()
  private var ownNotes = Numbers()
  private var ownChannel: UInt8 = 0
  /// The minimum velocity that counts, 1 to 127.
  public var softest: UInt8 = 1

  /// The sustain, sostenuto and soft pedals, which tap by default.
  public static var pedals: [UInt8] { [64, 66, 67] }

  /// Accepts any key and the pedals 64, 66 and 67, on every channel.
  public init() {}

  /// Adds a key that taps.
  ///
  /// Once a key is chosen, only chosen keys and controllers tap.
  public mutating func choose(key: UInt8) { keys.insert(key) }

  /// Adds a controller that taps.
  ///
  /// Once one is chosen, only chosen keys and controllers tap.
  public mutating func choose(controller: UInt8) { controllers.insert(controller) }

  /// Adds a channel, 0 to 15.
  ///
  /// Once one is chosen, only the chosen channels tap.
  public mutating func choose(channel: UInt8) { channels.insert(channel) }

  /// Never takes the click notes of `voice` for taps: their destination may send them back.
  public mutating func ignore(clicksOf voice: ClickVoice) {
    ownChannel = voice.channel
    for note in [voice.strong, voice.medium, voice.weak] { ownNotes.insert(note.key) }
  }

  /// Classifies `hit`.
  public func judge(_ hit: PadHit) -> Verdict {
    guard channels.isEmpty || channels.contains(hit.channel), isChosen(hit.kind) else {
      return .filtered
    }
    if case .note(let key) = hit.kind {
      if hit.channel == ownChannel, ownNotes.contains(key) { return .ownClick }
      if hit.isPress, hit.strength < softest { return .filtered }
    }
    return hit.isPress ? .tap : .release
  }

  private func isChosen(_ kind: PadHit.Kind) -> Bool {
    let isOpen = keys.isEmpty && controllers.isEmpty
    return switch kind {
    case .note(let key): isOpen || keys.contains(key)
    case .controller(let controller):
      isOpen ? Self.pedals.contains(controller) : controllers.contains(controller)
    }
  }

  /// A set of numbers from 0 to 127.
  private struct Numbers: Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    var isEmpty: Bool { low == 0 && high == 0 }

    mutating func insert(_ number: UInt8) {
      if number < 64 { low |= 1 << UInt64(number) } else { high |= 1 << UInt64(number & 63) }
    }

    func contains(_ number: UInt8) -> Bool {
      (number < 64 ? low : high) & (1 << UInt64(number & 63)) != 0
    }
  }
}
