/// Every click of a finite song with its exact time, for offline rendering.
public struct ClickList: Sendable {
  /// The note of a click.
  public struct Click: Hashable, Sendable {
    /// The time of the note-on.
    public var time: HostTime
    /// The time of the note-off.
    public var end: HostTime
    /// The key, 0 to 127.
    public var key: UInt8
    /// The velocity, 1 to 127.
    public var velocity: UInt8
  }

  /// The clicks in order of time.
  public internal(set) var clicks: [Click] = []
  /// The start of the first bar, including the count-in.
  public internal(set) var begin = HostTime.zero
  /// The end of the last bar.
  public internal(set) var end = HostTime.zero

  /// Creates an empty list.
  init() {}
}
