import Glibc

/// True where the live suites can run; they say so when they are skipped.
public let sequencerIsPresent = unsafe access("/dev/snd/seq", R_OK | W_OK) == 0

/// True where one instruction takes a fixed time and idle time is skipped, so that microseconds
/// can be demanded; whoever runs the tests in such a guest sets the variable.
public let timeIsVirtual = unsafe getenv("MIDIMETRO_VIRTUAL_TIME") != nil
