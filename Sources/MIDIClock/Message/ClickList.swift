/// Every click of a song that ends, with its exact instant; for what is made without a clock.
public struct ClickList: Sendable {
  /// A click's note.
  public struct Click: Hashable, Sendable {
    /// When it is struck.
    public var time: HostTime
    /// When it is let go.
    public var end: HostTime
    /// 0 to 127.
    public var key: UInt8
    /// 1 to 127.
    public var velocity: UInt8
  }

  /// In order.
  public internal(set) var clicks: [Click] = []
  /// The beginning of the first bar, the count-in's if there is one.
  public internal(set) var begin = HostTime.zero
  /// The end of the last bar.
  public internal(set) var end = HostTime.zero

  /// An empty list.
  init() {}
}
