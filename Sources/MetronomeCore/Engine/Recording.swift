public import MIDIClock

/// What a session without a sequencer would have sent, for whoever reads it.
///
/// All memory is allocated beforehand. One thread sends into it, one other takes from it.
public final class Recording: Sendable {
  /// One message.
  public struct Entry: Hashable, Sendable {
    /// What.
    public let message: MIDIMessage
    /// The number of its route.
    public let route: Int
    /// When it was planned for.
    public let planned: HostTime
    /// When it left.
    public let left: HostTime
  }

  private let entries: HandoverQueue<Entry>

  /// A recording of at most `capacity` messages that have not been taken.
  public init(capacity: Int = 65_536) { entries = HandoverQueue(capacity: capacity) }

  /// What has left since the last call, oldest first.
  public func take() -> [Entry] {
    var taken: [Entry] = []
    while let entry = entries.pop() { taken.append(entry) }
    return taken
  }

  /// Keeps `entry`; false when there is no space.
  ///
  /// Real-time safe: yes.
  func keep(_ entry: Entry) -> Bool { entries.push(entry) }
}
