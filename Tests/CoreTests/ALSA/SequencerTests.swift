import TestSupport
import Testing

/// Home of every suite that opens the real sequencer.
///
/// One at a time, because some of them compare the whole machine's list of clients.
@Suite(.serialized, .enabled(if: sequencerIsPresent, "needs /dev/snd/seq"))
enum SequencerTests {}
