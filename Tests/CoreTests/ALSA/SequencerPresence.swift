import Glibc
import Testing

/// True where the live suites can run; they say so when they are skipped.
let sequencerIsPresent = unsafe access("/dev/snd/seq", R_OK | W_OK) == 0

/// True where one instruction takes a fixed time and idle time is skipped, so that microseconds
/// can be demanded; whoever runs the tests in such a guest sets the variable.
let timeIsVirtual = unsafe getenv("MIDIMETRO_VIRTUAL_TIME") != nil

/// Home of every suite that opens the real sequencer.
///
/// One at a time, because some of them compare the whole machine's list of clients.
@Suite(.serialized, .enabled(if: sequencerIsPresent, "needs /dev/snd/seq"))
enum SequencerTests {}
