import Glibc

/// True if the live suites can run; when skipped they say so.
public let sequencerIsPresent = unsafe access("/dev/snd/seq", R_OK | W_OK) == 0

/// True if an instruction takes a fixed time and idle time is skipped, so that microseconds can be
/// tested; the environment of such a guest sets the variable.
public let timeIsVirtual = unsafe getenv("MIDIMETRO_VIRTUAL_TIME") != nil
