import TestSupport
import Testing

/// The parent of every suite that opens the real sequencer.
///
/// Serialized, because some of them compare the whole machine's list of clients.
@Suite(.serialized, .enabled(if: sequencerIsPresent, "needs /dev/snd/seq"))
enum SequencerTests {}
