public import MIDIClock

/// Records what a session without a sequencer would have sent.
///
/// All memory is allocated in advance. One thread writes, another one takes.
public final class Recording: Sendable {
  /// One recorded message.
  public struct Entry: Hashable, Sendable {
    /// The message.
    public let message: MIDIMessage
    /// The number of its route.
    public let route: Int
    /// The planned time.
    public let planned: HostTime
    /// The time it was sent.
    public let left: HostTime
  }

  private let entries: HandoverQueue<Entry>

  /// A recording with space for `capacity` messages that have not been taken.
  public init(capacity: Int = 65_536) { entries = HandoverQueue(capacity: capacity) }

  /// The messages since the last call, oldest first.
  public func take() -> [Entry] {
    var taken: [Entry] = []
    while let entry = entries.pop() { taken.append(entry) }
    return taken
  }

  /// Records `entry`; false if there is no space.
  ///
  /// Real-time safe: yes.
  func keep(_ entry: Entry) -> Bool { entries.push(entry) }
}
