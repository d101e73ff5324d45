/// The notes of a route's clicks.
public struct ClickVoice: Hashable, Sendable {
  /// The channel on the wire, 0 to 15 (shown as 1 to 16).
  public var channel: UInt8
  /// Key and velocity of strong clicks.
  public var strong: Note
  /// Key and velocity of medium clicks.
  public var medium: Note
  /// Key and velocity of weak clicks.
  public var weak: Note
  /// The lengths that a click can have.
  public static var gates: ClosedRange<HostTime.Span> { .milliseconds(1) ... .milliseconds(5_000) }

  /// The length of a click, unless the next one of the same key cuts it short.
  public var gate: HostTime.Span

  /// A key and its velocity.
  public struct Note: Hashable, Sendable {
    /// The key, 0 to 127.
    public var key: UInt8
    /// The velocity, 1 to 127.
    public var velocity: UInt8

    /// Creates a note.
    public init(key: UInt8, velocity: UInt8) {
      self.key = key
      self.velocity = velocity
    }
  }

  /// Creates a voice on `channel` 0 to 15 with notes of length `gate`.
  public init(channel: UInt8, strong: Note, medium: Note, weak: Note, gate: HostTime.Span) {
    self.channel = channel
    self.strong = strong
    self.medium = medium
    self.weak = weak
    self.gate = gate
  }

  /// Channel 10, the General MIDI 2 metronome: bell 34 on the downbeat, click 33 elsewhere; 40 ms.
  public static let standard = ClickVoice(
    channel: 9, strong: Note(key: 34, velocity: 127), medium: Note(key: 33, velocity: 100),
    weak: Note(key: 33, velocity: 80), gate: .milliseconds(40))

  /// The note of an accent.
  ///
  /// A silent click has the weak note, but is not played.
  @_noLocks
  func note(_ accent: Accent) -> Note {
    switch accent {
    case .strong: strong
    case .medium: medium
    case .weak, .silent: weak
    }
  }

  /// The slot, 0 to 2, that tracks the sounding `key`; accents with the same key share a slot.
  @_noLocks
  func slot(ofKey key: UInt8) -> Int {
    key == strong.key ? 0 : key == medium.key ? 1 : 2
  }
}
