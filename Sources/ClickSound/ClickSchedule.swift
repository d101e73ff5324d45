public import MIDIClock

/// The clicks that are to sound, and at which frame of which block each of them begins.
///
/// Fixed size; one thread's own. A click that comes too late for its frame begins at once when it
/// is a little late, and is left out when it is more: a held-up program is not heard as a burst.
public struct ClickSchedule: Sendable {
  /// A click: which of the voices, and the instant at which it is to be heard.
  public struct Click: Hashable, Sendable {
    /// When it is to be heard.
    public var time: HostTime
    /// Which of the voices.
    public var accent: Accent

    /// The click of `accent` to be heard at `time`.
    @_noLocks
    public init(accent: Accent, at time: HostTime) {
      self.time = time
      self.accent = accent
    }
  }

  /// Where a click begins.
  public struct Onset: Hashable, Sendable {
    /// Which of the voices.
    public var accent: Accent
    /// Frames from the beginning of the block.
    public var offset: Int
  }

  private static var capacity: Int { @_noLocks get { 64 } }
  /// Clicks later than this are left out.
  private static var tolerance: HostTime.Span { @_noLocks get { .milliseconds(40) } }

  private var clicks: [64 of Click] = .init(
    repeating: Click(accent: .silent, at: HostTime(nanoseconds: 0)))
  private var count = 0
  /// Clicks that began late, or not at all.
  public private(set) var late = 0
  /// Clicks that were left out.
  public private(set) var missed = 0

  /// Nothing to sound.
  public init() {}

  /// Adds a click; left out when 64 wait.
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

  /// Takes back what was to be heard later than `time`.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func cancel(after time: HostTime) {
    var index = 0
    while index < count {
      if time < clicks[index].time { remove(index) } else { index &+= 1 }
    }
  }

  /// The next click that begins in the block of `length` frames from `frame` on.
  ///
  /// Real-time safe: yes.
  /// - Parameters:
  ///   - frame: The block's first frame.
  ///   - length: Its frames.
  ///   - latency: From a frame's being asked for to its being heard.
  ///   - clock: When frames are asked for.
  /// - Returns: Where it begins; `nil` when no further one does.
  @_noLocks
  public mutating func next(
    in frame: Int64, length: Int, latency: HostTime.Span, _ clock: inout FrameClock
  ) -> Onset? {
    var index = 0
    while index < count {
      let click = clicks[index]
      let place = clock.frame(at: click.time - latency) &- frame
      guard place < Int64(length) else {
        index &+= 1
        continue
      }
      remove(index)
      guard place < 0 else { return Onset(accent: click.accent, offset: Int(place)) }
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
    var place = index
    while place < count {
      clicks[place] = clicks[place &+ 1]
      place &+= 1
    }
  }
}
