internal import MIDIClock

/// Tells when what comes in is mostly not for us, so that it is not worth waking for each of it.
///
/// A master that sends a thousand controllers a second with its clock would wake the reader eight
/// times a pulse. The kernel could be asked to keep them from us (`snd_seq_set_client_event_filter`),
/// but then the sender's own calls fail with `ENOENT` (measured on Linux 6.1). So while far more comes in
/// that is of no use, the reader lets `pause` go by before it looks again. Stamps are the kernel's and
/// pulses are sent by prediction, so this moves neither; a Stop that comes in a pause is passed on
/// that much later at most.
struct InputThrottle {
  /// How long to let them gather: short beside the 6 ms between the pulses of 400 BPM.
  static var pause: HostTime.Span { .milliseconds(2) }
  /// So many useless events weigh as much as one of use.
  private static let worth = 4
  private static let thick = 8
  private static let most = 32

  private var useless = 0

  /// Learns of one event.
  mutating func note(isOfUse: Bool) {
    useless =
      isOfUse ? max(0, useless &- Self.worth) : min(Self.most, useless &+ 1)
  }

  /// Whether most of what came lately was of no use.
  var isThick: Bool { useless >= Self.thick }
}
