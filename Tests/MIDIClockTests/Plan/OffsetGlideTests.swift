import Testing
import TestSupport

@testable import MIDIClock

struct OffsetGlideTests {
  private func instant(_ milliseconds: Int64) -> HostTime { .zero + .milliseconds(milliseconds) }

  @Test func `without a change it is the offset`() {
    let glide = OffsetGlide()
    for time in [Int64(-10_000), 0, 10_000] {
      #expect(glide.offset(at: instant(time), target: .milliseconds(7)) == .milliseconds(7))
    }
  }

  @Test(arguments: [Int64(40), -40])
  func `it moves by a quarter of the time that passes`(milliseconds: Int64) {
    var glide = OffsetGlide()
    let goal = HostTime.Span.milliseconds(milliseconds)
    glide.turn(from: .zero, to: goal, at: instant(1_000))
    func at(_ time: Int64) -> Int64 {
      glide.offset(at: instant(time), target: goal).nanoseconds / 1_000_000
    }
    let sign = milliseconds.signum()
    #expect(
      [999, 1_000, 1_004, 1_100, 1_160, 5_000].map(at) == [0, 0, 1, 25, 40, 40].map { $0 * sign })
  }

  @Test func `it can turn at any instant, even during another glide, and keeps the order`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<1_000 {
      var glide = OffsetGlide()
      var target = HostTime.Span.milliseconds(Int64.random(in: -500...500, using: &generator))
      var instant = HostTime.zero
      for _ in 0..<6 {
        let before = (glide, target)
        let goal = HostTime.Span(
          nanoseconds: Int64.random(in: -500_000_000...500_000_000, using: &generator))
        glide.turn(from: target, to: goal, at: instant)
        target = goal
        // What has not left by then leaves in order, at most a quarter closer or further apart, and
        // none of it before the instant.
        var last: HostTime?
        for place in stride(from: Int64(-2_000), through: 4_000, by: 7) {
          let plan = instant + .milliseconds(place)
          let leaves = plan + glide.offset(at: plan, target: target)
          let would = plan + before.0.offset(at: plan, target: before.1)
          guard instant <= would else { continue }
          #expect(instant <= leaves + .microseconds(1))
          if let last {
            #expect((leaves - last).nanoseconds >= 5_249_990)
            #expect((leaves - last).nanoseconds <= 8_750_010)
          }
          last = leaves
        }
        instant = instant + .milliseconds(Int64.random(in: 0...900, using: &generator))
      }
    }
  }

  @Test func `postponed with the plan, it is unchanged`() {
    var glide = OffsetGlide()
    glide.turn(from: .zero, to: .milliseconds(100), at: .zero)
    let before = glide.offset(at: instant(200), target: .milliseconds(100))
    glide.shift(by: .seconds(3))
    #expect(glide.offset(at: instant(3_200), target: .milliseconds(100)) == before)
  }
}
