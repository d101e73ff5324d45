/// Which of several ports is followed: one, from the first pulse to the last.
///
/// With a source chosen beforehand that one alone counts. With none, the first port that clocks is
/// taken; what the ports said before that is kept, so that the Start just before the first pulse
/// is not lost. Two clocks are never merged; each other port that clocks is told of once.
///
/// Ports are known by a number the caller gives them. Fixed size; real-time safe.
public struct SourceChoice: Sendable {
  /// What to do with a message.
  public enum Verdict: Hashable, Sendable {
    /// It is the source's: follow it.
    case follow
    /// Its port is the source from now on: follow what `nextEarly()` gives, then this.
    case taken
    /// Another clock has appeared; it is ignored from now on.
    case other
    /// Nothing.
    case ignore
  }

  private struct Early {
    var port: Int32 = 0
    var message = MIDIMessage.clock
    var stamp = HostTime.zero
    @_noLocks
    init() {}
  }

  private var source: Int32
  private var hasSource: Bool
  private var early: [16 of Early] = .init(repeating: Early())
  private var earlyCount = 0
  private var others: [16 of Int32] = .init(repeating: 0)
  private var otherCount = 0

  /// Follows the port numbered `source`, or the first that clocks.
  public init(source: Int32?) {
    self.source = source ?? 0
    hasSource = source != nil
  }

  /// The source is the port numbered `port` from now on, as when it has come back under another
  /// number.
  @_noLocks
  public mutating func follow(_ port: Int32) {
    source = port
    hasSource = true
    earlyCount = 0
  }

  /// What to do with `message`, which the port numbered `port` sent at `stamp`.
  @_noLocks
  public mutating func judge(_ message: MIDIMessage, from port: Int32, at stamp: HostTime)
    -> Verdict
  {
    if hasSource {
      if port == source { return .follow }
      guard case .clock = message else { return .ignore }
      return isNew(port) ? .other : .ignore
    }
    switch message {
    case .clock:
      source = port
      hasSource = true
      return .taken
    case .start, .continue, .stop, .songPosition:
      keep(message, port, stamp)
      return .ignore
    case .noteOn, .noteOff, .control: return .ignore
    }
  }

  /// The oldest message not yet given that the source sent before it was taken.
  @_noLocks
  public mutating func nextEarly() -> (message: MIDIMessage, stamp: HostTime)? {
    while earlyCount > 0 {
      let first = early[0]
      dropFirst()
      if first.port == source { return (first.message, first.stamp) }
    }
    return nil
  }

  @_noLocks
  private mutating func keep(_ message: MIDIMessage, _ port: Int32, _ stamp: HostTime) {
    if earlyCount == 16 { dropFirst() }
    early[earlyCount].port = port
    early[earlyCount].message = message
    early[earlyCount].stamp = stamp
    earlyCount &+= 1
  }

  @_noLocks
  private mutating func dropFirst() {
    var place = 1
    while place < earlyCount {
      early[place &- 1] = early[place]
      place &+= 1
    }
    earlyCount &-= 1
  }

  /// True the first time for each of the first sixteen.
  @_noLocks
  private mutating func isNew(_ port: Int32) -> Bool {
    var place = 0
    while place < otherCount {
      if others[place] == port { return false }
      place &+= 1
    }
    guard otherCount < 16 else { return false }
    others[otherCount] = port
    otherCount &+= 1
    return true
  }
}
