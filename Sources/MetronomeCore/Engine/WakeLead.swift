internal import MIDIClock

/// How long before a deadline to wake up, learned from how late wake-ups have been.
///
/// The remaining time is spent watching the clock, so that a late wake-up does not make a late
/// pulse. A wake-up later than the lead raises it at once; otherwise it decays slowly to a little
/// above what is observed. It stays small, because watching keeps a core busy.
struct WakeLead {
  private static var least: Int64 { @_noLocks get { 20_000 } }
  private static var most: Int64 { @_noLocks get { 150_000 } }
  /// The margin above the latest wake-ups observed, in nanoseconds.
  private static var reserve: Int64 { @_noLocks get { 10_000 } }

  private var nanoseconds: Int64 = 80_000

  /// The lead before a deadline.
  var span: HostTime.Span { @_noLocks get { HostTime.Span(nanoseconds: nanoseconds) } }

  /// Learns from a wake-up that was `late` after the requested instant.
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
