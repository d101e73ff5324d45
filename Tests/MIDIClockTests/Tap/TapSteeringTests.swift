import Testing

@testable import MIDIClock

/// Effects of taps on a playing plan.
struct TapSteeringTests {
  private func changes(
    _ seconds: [Double], isPlaying: Bool = true,
    _ set: (inout TapSteering.Settings) -> Void = { _ in }
  ) -> [PlanChange?] {
    var settings = TapSteering.Settings()
    set(&settings)
    var steering = TapSteering(settings)
    return seconds.map { steering.receive(instant($0), isPlaying: isPlaying).change }
  }

  @Test func `F60 the first three taps change nothing, the fourth does`() {
    let taps = [0, 0.5, 1, 1.5]
    #expect(changes(taps) == [nil, nil, nil, .tempo(.standard)])
    #expect(changes([0, 0.5], { $0.least = 2 }) == [nil, .tempo(.standard)])
  }

  @Test func `an unchanged tempo is not set again`() {
    #expect(changes([0, 0.5, 1, 1.5, 2, 2.5]).compactMap { $0 } == [.tempo(.standard)])
  }

  @Test func `bounces and outliers change nothing`() {
    let last = changes([0, 0.5, 1, 1.02, 1.5, 1.53, 2, 2.5, 3.09]).last
    #expect(last == .some(nil))
  }

  @Test func `a new tempo needs the same number of taps again`() {
    let taps = [0, 0.5, 1, 1.5, 2.5, 3.5, 4.5]
    #expect(
      changes(taps)
        == [nil, nil, nil, .tempo(.standard), nil, nil, .tempo(Tempo(clamping: 60_000))])
  }

  @Test func `tempi are rounded as requested and clamped to the range`() {
    var settings = TapSteering.Settings()
    #expect(settings.tempo(ofTaps: 120.34567) == Tempo(clamping: 120_346))
    settings.step = 1_000
    #expect(settings.tempo(ofTaps: 120.5) == Tempo(clamping: 121_000))
    settings.step = 500
    #expect(settings.tempo(ofTaps: 120.7) == Tempo(clamping: 120_500))
    #expect(settings.tempo(ofTaps: 5_000) == Tempo(clamping: 400_000))
    #expect(settings.tempo(ofTaps: 0.1) == Tempo(clamping: 10_000))
    settings.step = nil
    settings.unit = NoteValue(text: "3/8") ?? .quarter
    #expect(settings.tempo(ofTaps: 80) == Tempo(clamping: 120_000))
  }

  @Test func `when setting the phase, each tap gives the beat on the line`() {
    let changes = changes([0, 0.5, 1, 1.5, 2]) { $0.setsPhase = true }
    #expect(changes[3] == .align(.standard, beat: instant(1.5)))
    #expect(changes[4] == .align(.standard, beat: instant(2)))
  }

  @Test func `four taps count in, whatever the minimum for a change`() {
    let changes = changes([0, 0.6, 1.2, 1.8], isPlaying: false) {
      $0.startTaps = 4
      $0.least = 8
    }
    #expect(changes == [nil, nil, nil, .startOnBeat(Tempo(clamping: 100_000), at: instant(2.4))])
  }

  @Test func `while stopped, taps set the tempo unless they start the song`() {
    let taps = [0, 0.6, 1.2, 1.8]
    let tempo = PlanChange.tempo(Tempo(clamping: 100_000))
    #expect(changes(taps, isPlaying: false) == [nil, nil, nil, tempo])
    #expect(changes(taps, isPlaying: false) { $0.setsPhase = true } == [nil, nil, nil, tempo])
    #expect(changes(taps, isPlaying: false) { $0.startTaps = 5 } == [nil, nil, nil, nil])
  }

  @Test func `the phase is that of the note value tapped`() {
    let eighth = NoteValue(text: "1/8") ?? .quarter
    let changes = changes([0, 0.25, 0.5, 0.75]) {
      $0.setsPhase = true
      $0.unit = eighth
    }
    #expect(changes[3] == .align(.standard, beat: instant(0.75), unit: eighth))
  }

  @Test func `an uneven count-in still counts`() {
    let uneven = changes([0, 0.4, 1, 1.6], isPlaying: false) { $0.startTaps = 4 }
    #expect(uneven == [nil, nil, nil, .startOnBeat(Tempo(clamping: 100_000), at: instant(2.2))])
    // Taps before a silence do not count.
    let late = changes([0, 0.5, 4, 4.5, 5, 5.5], isPlaying: false) { $0.startTaps = 4 }
    #expect(late.prefix(5).allSatisfy { $0 == nil })
    #expect(late[5] == .startOnBeat(.standard, at: instant(6)))
  }

  @Test func `taps before a stop do not count towards the next start`() {
    var settings = TapSteering.Settings()
    settings.startTaps = 2
    var steering = TapSteering(settings)
    _ = steering.receive(instant(0), isPlaying: true)
    steering.reset()
    #expect(steering.receive(instant(0.5), isPlaying: false).change == nil)
    #expect(
      steering.receive(instant(1), isPlaying: false).change
        == .startOnBeat(.standard, at: instant(1.5)))
  }
}
