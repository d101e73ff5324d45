internal import MIDIClock
internal import MetronomeCore

extension StartWarning {
  /// One line, with a remedy.
  var words: String {
    switch self {
    case .memoryNotLocked(let error):
      "memory cannot be locked (\(error)), so a page fault may delay a pulse; raise the memlock"
        + " limit, see midimetro doctor"
    case .priorityRefused(let error):
      "real-time priority is refused (\(error)), so a busy machine may delay a pulse; raise the"
        + " rtprio limit, see midimetro doctor"
    case .timerStands(let name):
      "the queue's timer \(name) does not tick, so nothing would leave; use --dispatch precise,"
        + " or sudo modprobe snd-hrtimer and start again"
    case .timerIsCoarse(let name, let period):
      "the queue's timer \(name) has a period of \(Thousandths.text(period.nanoseconds / 1_000))"
        + " ms, so pulses are as uneven; load the high-resolution timer: sudo modprobe snd-hrtimer"
    }
  }
}
