internal import MIDIClock

/// Detects when most of the input is of no use to us, so that waking for each event is not
/// worthwhile.
///
/// A master that sends a thousand controllers a second along with its clock would wake the reader
/// eight times a pulse. The kernel could filter them (`snd_seq_set_client_event_filter`), but then
/// the sender's own calls fail with `ENOENT` (measured on Linux 6.1). So while useless events far
/// outnumber the others, the reader waits for `pause` before it looks again. Stamps come from the
/// kernel and pulses are sent by prediction, so this affects neither; a Stop during a pause is
/// passed on later by at most the pause.
struct InputThrottle {
  /// How long to let events accumulate: short compared with the 6 ms between pulses at 400 BPM.
  static var pause: HostTime.Span { .milliseconds(2) }
  /// The number of useless events that one useful event outweighs.
  private static let worth = 4
  private static let thick = 8
  private static let most = 32

  private var useless = 0

  /// Records one event.
  mutating func note(isOfUse: Bool) {
    useless =
      isOfUse ? max(0, useless &- Self.worth) : min(Self.most, useless &+ 1)
  }

  /// Whether most of the recent events were useless.
  var isThick: Bool { useless >= Self.thick }
}
