public import MIDIClock

/// The buffer that the audio driver is asked for, and how far ahead of it clicks must be known.
public struct AudioPlan: Hashable, Sendable {
  /// Frames per second asked for.
  public static let rate = 48_000
  /// The frames in a period that can be asked for.
  public static let periods: ClosedRange<Int64> = 16...8_192

  /// Frames in a period.
  public var period: Int
  /// Periods in the driver's buffer: at least 20 ms of them, and at least two.
  ///
  /// Clicks are placed by their frame, so a long buffer costs no evenness; it only makes changes
  /// heard later.
  public var count: Int { max(2, (1_024 + period - 1) / period) }

  /// A buffer of periods of `period` frames.
  public init(period: Int = 256) { self.period = period }

  /// The estimate of the driver's latency, from a frame's being asked for to its being heard.
  ///
  /// It is a full buffer. What a sound server and the card's own converter add cannot be known here.
  ///
  /// `block` is what the driver really asks for at once; one that takes more than a period, JACK
  /// for one, has two such blocks in hand.
  func latency(block: Int, rate: Int) -> HostTime.Span {
    let frames = block > period ? max(period * count, 2 * block) : period * count
    return HostTime.Span(nanoseconds: Int64(frames) * 1_000_000_000 / Int64(rate))
  }

  /// How long before it is heard a click must be known.
  ///
  /// The latency, one block more, and 5 ms for threads that wake late.
  func lead(block: Int, rate: Int) -> HostTime.Span {
    latency(block: block, rate: rate)
      + HostTime.Span(nanoseconds: Int64(max(block, period)) * 1_000_000_000 / Int64(rate))
      + .milliseconds(5)
  }

  /// The same for the block and rate that are asked for.
  public var lead: HostTime.Span { lead(block: period, rate: Self.rate) }
}
