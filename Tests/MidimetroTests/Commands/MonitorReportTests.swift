import MIDIClock
import Testing

@testable import midimetro

struct MonitorReportTests {
  @Test(arguments: [(1, 1), (24, 1), (25, 2), (48, 2), (650, 28)])
  func `beats are those begun, as in the summary of follow`(pulses: Int, beats: Int) {
    var report = MonitorReport(form: .json, origin: .zero, wanted: [])
    var lines: [String] = []
    for pulse in 0..<pulses {
      let stamp = HostTime(nanoseconds: Int64(pulse) * 20_833_333)
      report.take(.clock, port: "20:0", name: "DAW", at: stamp, &lines)
    }
    report.end(&lines)
    #expect(lines.last?.contains(#""pulses":\#(pulses),"beats":\#(beats),"#) == true)
  }
}
