import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

struct ProfileTests {
  @Test(arguments: [
    ("", "[live]\nbpm = 97\n"),
    ("bpm = 60\n", "bpm = 60\n\n[live]\nbpm = 97\n"),
    ("bpm = 60", "bpm = 60\n\n[live]\nbpm = 97\n"),
    ("[live]\nbpm = 1\nto = A\n", "[live]\nbpm = 97\n"),
    ("[ live ]\r\nbpm = 1\r\n[b]\nbpm = 2\n", "[live]\nbpm = 97\n[b]\nbpm = 2\n"),
    // Remarks before the next section stay with it.
    ("[live]\nbpm = 1\n\n# of b\n[b]\n", "[live]\nbpm = 97\n\n# of b\n[b]\n"),
    ("[a]\nx\n[live]\nbpm = 1\n[b]\ny\n[live]\nto = Z\n", "[a]\nx\n[live]\nbpm = 97\n[b]\ny\n"),
  ])
  func `a section takes its old place, and nothing else changes`(text: String, expected: String) {
    #expect(Profile.put(["bpm = 97"], as: "live", in: text) == expected)
  }

  @Test func `what is written is read back as what was set`() throws {
    let pattern = try ClickPattern(
      meter: Meter(text: "7/8=2+2+3"), accents: AccentPattern(text: "Xx.xmxx"), subdivision: 2,
      swing: 58_000)
    let route = Route(contents: [.clock, .click], offset: .microseconds(-12_500), divide: 2)
    let lines = Profile.lines(
      tempo: try #require(Tempo(milliBPM: 133_725)), pattern: pattern, policy: .rolling,
      Profile.lines(to: "Box #2:MIDI 1", route) + Profile.lines(to: "B", Route()))
    let file = home(config: Profile.put(lines, as: "live", in: "# mine\n"))
    let options = try played(["--profile", "live"], file)
    #expect(options.tempo == Tempo(milliBPM: 133_725))
    let read = options.settings.score.passages[0].span.pattern
    #expect(read.meter == pattern.meter)
    for click in 0..<pattern.clicksPerBar {
      #expect(read.accent(ofClick: click) == pattern.accent(ofClick: click))
    }
    #expect(read.subdivision == 2 && read.swing == 58_000)
    #expect(options.settings.policy == .rolling)
    #expect(options.settings.destinations.map(\.address) == ["Box #2:MIDI 1", "B"])
    let sent = options.settings.destinations[0].route
    #expect(sent.contents == [.clock, .click])
    #expect(sent.offset == .microseconds(-12_500) && sent.divide == 2)
    #expect(options.settings.destinations[1].route.offset == .zero)
  }

  @Test func `the sound, and the offset for whoever connects, are kept too`() throws {
    let lines =
      Profile.lines(volume: 65, soundSet: ClickSet.allCases[1].rawValue)
      + Profile.lines(ofEvery: Route(offset: .milliseconds(-7)))
    let file = home(config: Profile.put(lines, as: "live", in: ""))
    let options = try played(["--profile", "live"], file)
    #expect(options.sound.settings.volume == 65)
    #expect(options.sound.settings.set == ClickSet.allCases[1])
    #expect(options.settings.general.offset == .milliseconds(-7))
    #expect(Profile.lines(volume: nil, soundSet: nil).isEmpty)
  }
}

extension ProfileTests {
  @Test func `contents are spelled as --send takes them`() throws {
    for raw in UInt8(1)...15 {
      let contents = Route.Contents(rawValue: raw)
      let options = try played(["--to", "A", "--send", contents.spelled])
      #expect(options.settings.destinations[0].route.contents == contents)
    }
  }

  @Test func `an offset that was not moved keeps what the screen does not show`() {
    var state = ScreenState()
    let fine = Route(offset: .microseconds(-12_500))
    state.lines = [.init(name: "A", route: 0, fine)]
    #expect(state.moved(fine, number: 0).offset == .microseconds(-12_500))
    state.lines[0].offset -= 1
    #expect(state.moved(fine, number: 0).offset == .milliseconds(-13))
    #expect(state.moved(fine, number: 1).offset == .microseconds(-12_500))
  }
}
