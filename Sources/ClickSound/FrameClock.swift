public import MIDIClock

/// When each frame of an audio stream is asked for, in time: a delay-locked loop over the instants
/// at which the driver calls back.
///
/// Callbacks come late, never early: behind a scheduler, an interrupt, a mixing server, and often
/// several at once, when the device has moved on by several periods. So what is followed is not
/// their mean but their **lower edge**: the line that the least late of them lie on, which is the
/// device's own steady advance. In each window of half a second or more the least late callback is the
/// measurement, and a loop of second order follows those: place and rate at once, with a bandwidth
/// that narrows to 0.05 Hz. While the first window lasts the line is simply moved down to whatever
/// lies below it, so it is right from the first periods on.
///
/// At first a driver fills its buffer, and the device begins to play a little later: the line begins
/// with the first callback that had to be waited for.
///
/// When all callbacks stay late for a while the stream was interrupted: the line is laid anew
/// through the least late of them, at once, and the rate is kept.
///
/// Source for the loop: Fons Adriaensen, "Using a DLL to filter time" (Linux Audio Conference
/// 2005). Fixed size; time is a parameter. Times are kept as nanoseconds in a `Double` from the
/// first callback, exact to 0.1 ns for ten days.
public struct FrameClock: Sendable {
  /// What a callback said.
  public enum Observation: Hashable, Sendable {
    /// The stream goes on.
    case steady
    /// The stream was interrupted for so long.
    case interrupted(HostTime.Span)
    /// It asks for frames this much earlier than it did: a buffer has grown.
    case advanced(HostTime.Span)
  }

  /// The nanoseconds of a frame, as the driver was asked for.
  private let nominal: Double
  private var perFrame: Double
  private var base = HostTime.zero
  private var isStarted = false
  private var hasCalled = false
  private var lastFrame: Int64 = 0
  private var lastTime = HostTime.zero
  /// The line: this frame at this time, others by `perFrame`.
  private var anchorFrame: Int64 = 0
  private var anchorTime = 0.0
  /// The window under way.
  private var windowStart = 0.0
  private var windowFrame: Int64 = 0
  private var least = Double.infinity
  private var windowCount = 0
  /// Windows since the line was laid, and since there is a rate.
  private var windows = 0
  private var rateWindows = 0
  /// Callbacks in a row that were late, after the first `lateSpan` of them; the least late of them,
  /// and when the row began.
  private var isLate = false
  private var lateCount = 0
  private var lateLeast = 0.0
  private var lateStart = 0.0

  private static var window: Double { @_noLocks get { 0.5e9 } }
  /// All of a dozen callbacks so much later than the line mean an interruption, and so much later
  /// a few do.
  private static var interruption: Double { @_noLocks get { 1e6 } }
  private static var longInterruption: Double { @_noLocks get { 8e6 } }
  /// Callbacks so much before the line move it at once.
  private static var advance: Double { @_noLocks get { 0.2e6 } }
  /// Callbacks in a window at least: a device that moves on in steps shows its edge now and then.
  private static var fewest: Int { @_noLocks get { 40 } }
  /// A dozen, and a few.
  private static var dozen: Int { @_noLocks get { 12 } }
  private static var few: Int { @_noLocks get { 5 } }
  /// How long after an interruption the buffer is filled anew and says nothing.
  private static var lateSpan: Double { @_noLocks get { 25e6 } }
  /// The most that a device's rate may differ from what was asked for.
  private static var rateRange: Double { @_noLocks get { 0.005 } }
  /// 2 pi x 0.05 Hz x half a second.
  private static var narrowest: Double { @_noLocks get { 0.157 } }
  /// The most that one window may say about the rate: sound cards are within 300 ppm.
  private static var boldest: Double { @_noLocks get { 0.3 } }

  /// A clock for a stream of `rate` frames per second that has not begun.
  public init(rate: Double) {
    nominal = 1e9 / rate
    perFrame = nominal
  }

  /// Frames per second as measured.
  public var rate: Double { @_noLocks get { 1e9 / perFrame } }

  /// True once it is known when frames are asked for.
  public var hasStarted: Bool { @_noLocks get { isStarted } }

  /// Takes in that the driver asked at `now` for the frames from `frame` on.
  ///
  /// Real-time safe: yes.
  @_noLocks
  public mutating func called(_ frame: Int64, at now: HostTime) -> Observation {
    guard isStarted else {
      begin(frame, now)
      return .steady
    }
    let time = Double((now - base).nanoseconds)
    let late = time - line(frame)
    if late < least { least = late }
    windowCount &+= 1
    var said = Observation.steady
    if late < 0, windows == 0 || late < -Self.advance {
      anchorTime += late
      least = 0
      if windows > 0, late < -Self.interruption {
        said = .advanced(HostTime.Span(nanoseconds: Int64(-late)))
      }
    }
    if let observation = judge(frame, time, late) { return observation }
    if time - windowStart >= Self.window, windowCount >= Self.fewest { closeWindow(frame, time) }
    return said
  }

  /// Lays the line through the first callback that came half a period or more after the last.
  @_noLocks
  private mutating func begin(_ frame: Int64, _ now: HostTime) {
    let waited = Double((now - lastTime).nanoseconds)
    if hasCalled, waited > Double(frame &- lastFrame) * nominal / 2 {
      isStarted = true
      base = now
      lay(frame, 0)
    }
    hasCalled = true
    lastFrame = frame
    lastTime = now
  }

  /// Lays the line anew when a dozen callbacks in a row were late, or a few very late.
  @_noLocks
  private mutating func judge(_ frame: Int64, _ time: Double, _ late: Double) -> Observation? {
    guard late > Self.interruption else {
      isLate = false
      return nil
    }
    if !isLate {
      isLate = true
      lateStart = time
      lateLeast = .infinity
      lateCount = 0
    }
    guard time - lateStart >= Self.lateSpan else { return nil }
    lateCount &+= 1
    if late < lateLeast { lateLeast = late }
    guard lateCount >= (lateLeast > Self.longInterruption ? Self.few : Self.dozen) else {
      return nil
    }
    let least = lateLeast
    lay(frame, line(frame) + least)
    return .interrupted(HostTime.Span(nanoseconds: Int64(least)))
  }

  @_noLocks
  private mutating func closeWindow(_ frame: Int64, _ time: Double) {
    // As long as the line is young the gains are those of a least-squares line through all windows
    // so far; then those of the loop.
    let count = Double(windows) + 2
    let place = 2 * (2 * count - 1) / (count * (count + 1))
    let rates = Double(rateWindows) + 2
    let slope = 6 / (rates * (rates + 1))
    let loop = 1.414_213_562 * Self.narrowest
    let square = Self.narrowest * Self.narrowest
    let bold = slope < Self.boldest ? slope : Self.boldest
    let frames = Double(frame &- windowFrame)
    anchorTime = line(frame) + (place > loop ? place : loop) * least
    anchorFrame = frame
    perFrame += (bold > square ? bold : square) * least / frames
    let most = nominal * Self.rateRange
    if perFrame > nominal + most { perFrame = nominal + most }
    if perFrame < nominal - most { perFrame = nominal - most }
    windows &+= 1
    rateWindows &+= 1
    openWindow(frame, time)
  }

  @_noLocks
  private mutating func openWindow(_ frame: Int64, _ time: Double) {
    windowStart = time
    windowFrame = frame
    windowCount = 0
    least = .infinity
  }

  /// Lays the line through `frame` at `time`.
  @_noLocks
  private mutating func lay(_ frame: Int64, _ time: Double) {
    anchorFrame = frame
    anchorTime = time
    windows = 0
    isLate = false
    openWindow(frame, time)
  }

  @_noLocks
  private func line(_ frame: Int64) -> Double {
    anchorTime + Double(frame &- anchorFrame) * perFrame
  }

  /// When `frame` is asked for, at the earliest.
  ///
  /// Real-time safe: yes. Before the first callback it means nothing.
  @_noLocks
  public func time(ofFrame frame: Int64) -> HostTime {
    base + HostTime.Span(nanoseconds: Self.whole(line(frame)))
  }

  /// The frame that is asked for nearest to `time`.
  ///
  /// Real-time safe: yes. Before the first callback it means nothing.
  @_noLocks
  public func frame(at time: HostTime) -> Int64 {
    let frames = (Double((time - base).nanoseconds) - anchorTime) / perFrame
    return anchorFrame &+ Self.whole(frames)
  }

  /// The nearest whole number.
  @_noLocks
  private static func whole(_ value: Double) -> Int64 {
    Int64(value < 0 ? value - 0.5 : value + 0.5)
  }
}
