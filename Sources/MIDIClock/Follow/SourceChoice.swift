/// Selects which of several ports to follow.
///
/// The choice does not change by itself.
///
/// If a source is given, only that one counts. Otherwise the first port that sends a clock is
/// chosen. Earlier messages are kept until then, so that a Start just before the first pulse is not
/// lost. Clocks are never merged; every other port that sends a clock is reported once.
///
/// The caller identifies ports by number. Fixed size; real-time safe.
public struct SourceChoice: Sendable {
  /// What to do with a message.
  public enum Verdict: Hashable, Sendable {
    /// It is from the source: follow it.
    case follow
    /// Its port has become the source: follow what `nextEarly()` returns, then this message.
    case taken
    /// Another clock has appeared; it is ignored from now on.
    case other
    /// Ignore it.
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

  /// Follows the port numbered `source`, or if `nil` the first that sends a clock.
  public init(source: Int32?) {
    self.source = source ?? 0
    hasSource = source != nil
  }

  /// Makes the port numbered `port` the source, for example when it has come back under another
  /// number.
  @_noLocks
  public mutating func follow(_ port: Int32) {
    source = port
    hasSource = true
    earlyCount = 0
  }

  /// Decides what to do with `message`, sent by the port numbered `port` at `stamp`.
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

  /// Removes and returns the oldest message that the source sent before it was chosen.
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
    var index = 1
    while index < earlyCount {
      early[index &- 1] = early[index]
      index &+= 1
    }
    earlyCount &-= 1
  }

  /// True the first time for each of the first sixteen ports.
  @_noLocks
  private mutating func isNew(_ port: Int32) -> Bool {
    var index = 0
    while index < otherCount {
      if others[index] == port { return false }
      index &+= 1
    }
    guard otherCount < 16 else { return false }
    others[otherCount] = port
    otherCount &+= 1
    return true
  }
}
