public import MIDIClock

/// Maps the frames of an audio stream to the times at which they are requested: a delay-locked loop
/// over the driver's callbacks.
///
/// Callbacks come late, never early: they are delayed by a scheduler, an interrupt or a mixing
/// server, and often several come at once, when the device has advanced by several periods. The
/// loop therefore tracks not their mean but their **lower edge**: the line through the least late
/// of them, which is the device's own steady advance. In each window of half a second or more, the
/// least late callback is the measurement. A second-order loop tracks these in phase and rate, with
/// a bandwidth that narrows to 0.05 Hz. During the first window the line is simply moved down to
/// any callback below it, so it is right from the first periods on.
///
/// A driver first fills its buffer, and the device starts to play a little later: the line starts
/// at the first callback that the device made the driver wait for.
///
/// When all callbacks stay late for a while, the stream has dropped out. The line is then reset at
/// once, through the least late of them, and the rate is kept.
///
/// Source for the loop: Fons Adriaensen, "Using a DLL to filter time" (Linux Audio Conference
/// 2005). Fixed size; time is a parameter. Times are nanoseconds since the first callback in a
/// `Double`, exact to 0.1 ns for ten days.
public struct FrameClock: Sendable {
  /// The result of a callback.
  public enum Observation: Hashable, Sendable {
    /// The stream continues.
    case steady
    /// The stream dropped out, for the given time.
    case interrupted(HostTime.Span)
    /// Frames are requested earlier than before, by the given time: a buffer has grown.
    case advanced(HostTime.Span)
  }

  /// The nominal duration of a frame in nanoseconds.
  private let nominal: Double
  private var perFrame: Double
  private var base = HostTime.zero
  private var isStarted = false
  private var hasCalled = false
  private var lastFrame: Int64 = 0
  private var lastTime = HostTime.zero
  /// The line: this frame at this time, others at intervals of `perFrame`.
  private var anchorFrame: Int64 = 0
  private var anchorTime = 0.0
  /// The current window.
  private var windowStart = 0.0
  private var windowFrame: Int64 = 0
  private var least = Double.infinity
  private var windowCount = 0
  /// The number of windows since the line was reset, and since the rate was first measured.
  private var windows = 0
  private var rateWindows = 0
  /// Consecutive late callbacks, not counting the first `lateSpan`; the least late of them, and
  /// when the run began.
  private var isLate = false
  private var lateCount = 0
  private var lateLeast = 0.0
  private var lateStart = 0.0

  private static var window: Double { @_noLocks get { 0.5e9 } }
  /// A dozen callbacks later than this mean a dropout; a few suffice beyond `longDropoutLateness`.
  private static var dropoutLateness: Double { @_noLocks get { 1e6 } }
  private static var longDropoutLateness: Double { @_noLocks get { 8e6 } }
  /// Callbacks earlier than the line by more than this move it at once.
  private static var advance: Double { @_noLocks get { 0.2e6 } }
  /// The minimum number of callbacks per window.
  ///
  /// A device that advances in steps shows its edge only occasionally.
  private static var fewest: Int { @_noLocks get { 40 } }
  /// The callbacks that make a dropout beyond `dropoutLateness`, and beyond `longDropoutLateness`.
  private static var dozen: Int { @_noLocks get { 12 } }
  private static var few: Int { @_noLocks get { 5 } }
  /// While the buffer refills after a dropout, callbacks are not representative.
  private static var lateSpan: Double { @_noLocks get { 25e6 } }
  /// The maximum relative deviation of a device's rate from the nominal rate.
  private static var rateRange: Double { @_noLocks get { 0.005 } }
  /// 2 pi x 0.05 Hz x half a second.
  private static var loopBandwidth: Double { @_noLocks get { 0.157 } }
  /// The maximum gain of one window on the rate: sound cards are within 300 ppm.
  private static var greatestRateGain: Double { @_noLocks get { 0.3 } }

  /// Creates a clock for a stream of `rate` frames per second.
  public init(rate: Double) {
    nominal = 1e9 / rate
    perFrame = nominal
  }

  /// The measured rate in frames per second.
  public var rate: Double { @_noLocks get { 1e9 / perFrame } }

  /// Whether the times of frames are known yet.
  public var hasStarted: Bool { @_noLocks get { isStarted } }

  /// Records that the driver requested the frames from `frame` on at `now`.
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
    var observation = Observation.steady
    if late < 0, windows == 0 || late < -Self.advance {
      anchorTime += late
      least = 0
      if windows > 0, late < -Self.dropoutLateness {
        observation = .advanced(HostTime.Span(nanoseconds: Int64(-late)))
      }
    }
    if let dropout = self.dropout(frame, time, late) { return dropout }
    if time - windowStart >= Self.window, windowCount >= Self.fewest { closeWindow(frame, time) }
    return observation
  }

  /// Starts the line at the first callback that came half a period or more after the previous one.
  @_noLocks
  private mutating func begin(_ frame: Int64, _ now: HostTime) {
    let waited = Double((now - lastTime).nanoseconds)
    if hasCalled, waited > Double(frame &- lastFrame) * nominal / 2 {
      isStarted = true
      base = now
      resetLine(frame, 0)
    }
    hasCalled = true
    lastFrame = frame
    lastTime = now
  }

  /// Resets the line when a dozen callbacks in a row were late, or a few very late.
  @_noLocks
  private mutating func dropout(_ frame: Int64, _ time: Double, _ late: Double) -> Observation? {
    guard late > Self.dropoutLateness else {
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
    guard lateCount >= (lateLeast > Self.longDropoutLateness ? Self.few : Self.dozen) else {
      return nil
    }
    let least = lateLeast
    resetLine(frame, line(frame) + least)
    return .interrupted(HostTime.Span(nanoseconds: Int64(least)))
  }

  @_noLocks
  private mutating func closeWindow(_ frame: Int64, _ time: Double) {
    // While the line is new, use the gains of a least-squares line through all windows so far;
    // later, those of the loop.
    let count = Double(windows) + 2
    let phaseGain = 2 * (2 * count - 1) / (count * (count + 1))
    let rates = Double(rateWindows) + 2
    let rateGain = 6 / (rates * (rates + 1))
    let loop = 1.414_213_562 * Self.loopBandwidth
    let square = Self.loopBandwidth * Self.loopBandwidth
    let limited = rateGain < Self.greatestRateGain ? rateGain : Self.greatestRateGain
    let frames = Double(frame &- windowFrame)
    anchorTime = line(frame) + (phaseGain > loop ? phaseGain : loop) * least
    anchorFrame = frame
    perFrame += (limited > square ? limited : square) * least / frames
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

  /// Resets the line to pass through `frame` at `time`.
  @_noLocks
  private mutating func resetLine(_ frame: Int64, _ time: Double) {
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

  /// The earliest time at which `frame` is requested.
  ///
  /// Real-time safe: yes. Undefined before the first callback.
  @_noLocks
  public func time(ofFrame frame: Int64) -> HostTime {
    base + HostTime.Span(nanoseconds: Self.whole(line(frame)))
  }

  /// The frame whose request is nearest to `time`.
  ///
  /// Real-time safe: yes. Undefined before the first callback.
  @_noLocks
  public func frame(at time: HostTime) -> Int64 {
    let frames = (Double((time - base).nanoseconds) - anchorTime) / perFrame
    return anchorFrame &+ Self.whole(frames)
  }

  /// Rounds to the nearest integer.
  @_noLocks
  private static func whole(_ value: Double) -> Int64 {
    Int64(value < 0 ? value - 0.5 : value + 0.5)
  }
}
