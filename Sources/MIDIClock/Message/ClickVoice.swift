/// The notes a route's clicks are played with.
public struct ClickVoice: Hashable, Sendable {
  /// The channel on the wire, 0 to 15 (people say 1 to 16).
  public var channel: UInt8
  /// Key and velocity of strong clicks.
  public var strong: Note
  /// Key and velocity of medium clicks.
  public var medium: Note
  /// Key and velocity of weak clicks.
  public var weak: Note
  /// How long a click sounds, unless the next one of its key cuts it short.
  public var gate: HostTime.Span

  /// A key and how hard it is struck.
  public struct Note: Hashable, Sendable {
    /// 0 to 127.
    public var key: UInt8
    /// 1 to 127.
    public var velocity: UInt8

    /// Key `key` struck with `velocity`.
    public init(key: UInt8, velocity: UInt8) {
      self.key = key
      self.velocity = velocity
    }
  }

  /// Notes on `channel` 0 to 15, sounding for `gate`.
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

  /// The note of an accent; a silent click has the weak one and is not played.
  @_noLocks
  func note(_ accent: Accent) -> Note {
    switch accent {
    case .strong: strong
    case .medium: medium
    case .weak, .silent: weak
    }
  }

  /// Which of the three places remembers a sounding `key`: accents that share a key share it.
  @_noLocks
  func slot(ofKey key: UInt8) -> Int {
    key == strong.key ? 0 : key == medium.key ? 1 : 2
  }
}
