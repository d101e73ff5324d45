import MIDIClock
import Testing

@testable import ClickSound

struct ClickScheduleTests {
  /// A clock of a steady device: frame n is requested n/48000 s after 1 s.
  private func clock() -> FrameClock {
    var clock = FrameClock(rate: 48_000)
    for index in 0..<400 as Range<Int64> { _ = clock.called(index * 256, at: asked(index * 256)) }
    return clock
  }

  private func asked(_ frame: Int64) -> HostTime {
    HostTime(nanoseconds: 1_000_000_000 + frame * 62_500 / 3)
  }

  private let latency = HostTime.Span.milliseconds(20)

  /// The frames at which clicks start in blocks of `period` from `first` up to `end`.
  private func onsets(
    _ schedule: inout ClickSchedule, _ clock: inout FrameClock, from first: Int64, to end: Int64,
    period: Int
  ) -> [Int64] {
    var frames: [Int64] = []
    for block in stride(from: first, to: end, by: period) {
      while let onset = schedule.next(in: block, length: period, latency: latency, &clock) {
        frames.append(block + Int64(onset.offset))
      }
    }
    return frames
  }

  @Test(arguments: [1, 64, 100, 256, 1_024, 4_096])
  func `each click starts at its exact frame for any block size`(period: Int) {
    var clock = clock()
    var schedule = ClickSchedule()
    let wanted: [Int64] = [102_400, 102_401, 104_447, 104_448, 126_400]
    for frame in wanted {
      schedule.add(ClickSchedule.Click(accent: .weak, at: asked(frame) + latency))
    }
    let begun = onsets(&schedule, &clock, from: 102_400, to: 130_000, period: period)
    #expect(begun == wanted)
    #expect(schedule.late == 0 && schedule.missed == 0)
  }

  @Test func `a slightly late click starts immediately, a later one is skipped`() {
    var clock = clock()
    var schedule = ClickSchedule()
    for milliseconds in [-500, -60, -41, -39, -5, 0] as [Int64] {
      schedule.add(
        ClickSchedule.Click(
          accent: .strong, at: asked(102_400) + latency + .milliseconds(milliseconds)))
    }
    let begun = onsets(&schedule, &clock, from: 102_400, to: 103_000, period: 256)
    #expect(begun == [102_400, 102_400, 102_400])
    #expect(schedule.late == 2 && schedule.missed == 3)
  }

  @Test func `cancelled clicks are silent, earlier ones are not`() {
    var clock = clock()
    var schedule = ClickSchedule()
    for frame in [102_500, 103_000, 103_500] as [Int64] {
      schedule.add(ClickSchedule.Click(accent: .weak, at: asked(frame) + latency))
    }
    schedule.cancel(after: asked(103_000) + latency)
    #expect(
      onsets(&schedule, &clock, from: 102_400, to: 104_000, period: 64) == [102_500, 103_000])
  }

  @Test func `the capacity is 64, and clicks beyond it count as missed`() {
    var schedule = ClickSchedule()
    for _ in 0..<70 { schedule.add(ClickSchedule.Click(accent: .weak, at: .distantFuture)) }
    #expect(schedule.missed == 6)
  }
}
