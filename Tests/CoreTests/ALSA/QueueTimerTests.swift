import MIDIClock
import Testing

@testable import MetronomeCore

struct QueueTimerTests {
  static let report = """
    Timer for queue 0 : HR timer
      Period time : 0.000160000
      Skew : 65536 / 65536
    Timer for queue 10 : system timer
      Period time : 0.004000000
      Skew : 65536 / 65536

    """

  @Test func `name and period are those of the requested queue`() {
    let fine = QueueTimer(of: QueueNumber(0), in: Self.report)
    #expect(fine == QueueTimer(name: "HR timer", period: .microseconds(160)))
    let coarse = QueueTimer(of: QueueNumber(10), in: Self.report)
    #expect(coarse == QueueTimer(name: "system timer", period: .milliseconds(4)))
  }

  @Test(arguments: [
    "", "Timer for queue 1 : HR timer", "Timer for queue 1 : HR timer\n  Period time : none\n",
    "Timer for queue 1 : HR timer\n  Period time : 0.16\n", QueueTimerTests.report,
  ])
  func `missing or malformed text yields no timer`(report: String) {
    #expect(QueueTimer(of: QueueNumber(1), in: report) == nil)
  }
}
