public import MIDIClock

/// The scheduled clicks, and the frame at which each begins.
///
/// Fixed size; used by one thread only. A click that misses its frame starts immediately if it is
/// slightly late, and is skipped if it is later than that, so a stalled program does not produce a
/// burst.
public struct ClickSchedule: Sendable {
  /// A click: the accent to play, and when.
  public struct Click: Hashable, Sendable {
    /// The instant at which it must be heard.
    public var time: HostTime
    /// The accent, which selects the sound.
    public var accent: Accent

    /// Creates a click of `accent` to be heard at `time`.
    @_noLocks
    public init(accent: Accent, at time: HostTime) {
      self.time = time
      self.accent = accent
    }
  }

  /// The start of a click in a block.
  public struct Onset: Hashable, Sendable {
    /// The accent, which selects the sound.
    public var accent: Accent
    /// Frames from the start of the block.
    public var offset: Int
  }

  private static var capacity: Int { @_noLocks get { 64 } }
  /// Clicks later than this are skipped.
  private static var tolerance: HostTime.Span { @_noLocks get { .milliseconds(40) } }

  private var clicks: [64 of Click] = .init(
    repeating: Click(accent: .silent, at: HostTime(nanoseconds: 0)))
  private var count = 0
  /// The number of clicks that started late.
  public private(set) var late = 0
  /// The number of clicks skipped.
  public private(set) var missed = 0

  /// Creates an empty schedule.
  public init() {}

  /// Adds a click; skips it if 64 are pending.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func add(_ click: Click) {
    guard count < Self.capacity else {
      missed &+= 1
      return
    }
    clicks[count] = click
    count &+= 1
  }

  /// Cancels the clicks due later than `time`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func cancel(after time: HostTime) {
    var index = 0
    while index < count {
      if time < clicks[index].time { remove(index) } else { index &+= 1 }
    }
  }

  /// Removes the next click that starts in the block of `length` frames from `frame` on.
  ///
  /// Real-time safe: yes.
  /// - Parameters:
  ///   - frame: The block's first frame.
  ///   - length: The number of frames.
  ///   - latency: The time from requesting a frame to hearing it.
  ///   - clock: The times at which frames are requested.
  /// - Returns: Where it starts; `nil` if no more clicks start in the block.
  @_noLocks
  public mutating func next(
    in frame: Int64, length: Int, latency: HostTime.Span, _ clock: inout FrameClock
  ) -> Onset? {
    var index = 0
    while index < count {
      let click = clicks[index]
      let offset = clock.frame(at: click.time - latency) &- frame
      guard offset < Int64(length) else {
        index &+= 1
        continue
      }
      remove(index)
      guard offset < 0 else { return Onset(accent: click.accent, offset: Int(offset)) }
      let heard = clock.time(ofFrame: frame) + latency
      guard !(Self.tolerance < heard - click.time) else {
        missed &+= 1
        continue
      }
      late &+= 1
      return Onset(accent: click.accent, offset: 0)
    }
    return nil
  }

  @_noLocks
  private mutating func remove(_ index: Int) {
    count &-= 1
    var slot = index
    while slot < count {
      clicks[slot] = clicks[slot &+ 1]
      slot &+= 1
    }
  }
}
