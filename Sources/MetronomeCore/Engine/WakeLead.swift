internal import MIDIClock

/// How long before a deadline to wake, learnt from how late wake-ups have been.
///
/// The rest is spent watching the clock, so that a late wake-up does not make a late pulse. A wake
/// later than the lead raises it at once; otherwise it sinks slowly to a little above what is
/// seen. It stays small: watching costs a core as long as it lasts.
struct WakeLead {
  private static var least: Int64 { @_noLocks get { 20_000 } }
  private static var most: Int64 { @_noLocks get { 150_000 } }
  /// Kept above the latest wake-ups seen.
  private static var reserve: Int64 { @_noLocks get { 10_000 } }

  private var nanoseconds: Int64 = 80_000

  /// Wake this much before the deadline.
  var span: HostTime.Span { @_noLocks get { HostTime.Span(nanoseconds: nanoseconds) } }

  /// Learns from one wake-up, `late` after the instant asked for.
  @_noLocks
  mutating func learn(_ late: HostTime.Span) {
    let wanted = late.nanoseconds &+ Self.reserve
    if wanted > nanoseconds {
      nanoseconds = wanted
    } else {
      nanoseconds &-= (nanoseconds &- wanted) / 64
    }
    if nanoseconds < Self.least { nanoseconds = Self.least }
    if nanoseconds > Self.most { nanoseconds = Self.most }
  }
}
