public import MIDIClock

/// The timer that drives a sequencer queue, as reported by the kernel.
///
/// Events on a queue leave at multiples of its period: at the first one not before their stamp.
public struct QueueTimer: Hashable, Sendable {
  /// The timer's own name, such as "HR timer" or "system timer".
  public let name: String
  /// The interval between dispatches: 160 us for the high-resolution timer at its maximum of 6250
  /// Hz, 1 ms by default, 4 ms or more on the system timer.
  public let period: HostTime.Span

  /// A timer with this name and period.
  public init(name: String, period: HostTime.Span) {
    self.name = name
    self.period = period
  }

  /// Finds the timer of `queue` in the text of `/proc/asound/seq/timer`; `nil` if it is missing.
  init?(of queue: QueueNumber, in report: String) {
    var lines = report.split(separator: "\n").map { $0.drop { $0 == " " } }[...]
    let heading = "Timer for queue \(queue.value) : "
    while let line = lines.popFirst() {
      guard line.hasPrefix(heading), let period = lines.first,
        let colon = period.firstIndex(of: ":")
      else { continue }
      let parts = period[period.index(after: colon)...].split(separator: " ").first?
        .split(separator: ".")
      guard let parts, parts.count == 2, parts[1].count == 9, let seconds = Int64(parts[0]),
        let nanoseconds = Int64(parts[1])
      else { return nil }
      self.init(
        name: String(line.dropFirst(heading.count)),
        period: HostTime.Span(nanoseconds: seconds * 1_000_000_000 + nanoseconds))
      return
    }
    return nil
  }
}
