public import MIDIClock

/// The buffer to request from the audio driver, and how far ahead clicks must be known.
public struct AudioPlan: Hashable, Sendable {
  /// The sample rate to request, in frames per second.
  public static let rate = 48_000
  /// The supported period sizes in frames.
  public static let periods: ClosedRange<Int64> = 16...8_192

  /// Frames per period.
  public var period: Int
  /// Periods in the driver's buffer: at least 20 ms, and at least two.
  ///
  /// Clicks are placed by frame, so a long buffer does not affect their timing; it only delays
  /// changes.
  public var count: Int { max(2, (1_024 + period - 1) / period) }

  /// Creates a buffer of periods of `period` frames.
  public init(period: Int = 256) { self.period = period }

  /// The estimated latency of the driver, from requesting a frame to hearing it.
  ///
  /// It is one full buffer. The latency of a sound server and of the card's converter cannot be
  /// known here.
  ///
  /// `block` is the number of frames per callback. A driver with blocks longer than a period, such
  /// as JACK, holds two of them.
  func latency(block: Int, rate: Int) -> HostTime.Span {
    let frames = block > period ? max(period * count, 2 * block) : period * count
    return HostTime.Span(nanoseconds: Int64(frames) * 1_000_000_000 / Int64(rate))
  }

  /// How long before it is heard a click must be known.
  ///
  /// The latency, one more block, and 5 ms for threads that wake late.
  func lead(block: Int, rate: Int) -> HostTime.Span {
    latency(block: block, rate: rate)
      + HostTime.Span(nanoseconds: Int64(max(block, period)) * 1_000_000_000 / Int64(rate))
      + .milliseconds(5)
  }

  /// The same for the requested block and rate.
  public var lead: HostTime.Span { lead(block: period, rate: Self.rate) }
}
