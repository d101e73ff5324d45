import MIDIClock
import Testing

@testable import midimetro

struct ScreenLayoutTests {
  @Test func look() throws {
    var state = ScreenState()
    state.motion = .rolling
    state.position = Position(bar: 12, beat: 3)
    state.litBeat = 3
    state.tempo = Tempo(milliBPM: 133_700)
    state.lines = [
      .init(name: "TR-8S:MIDI 1", Route(offset: .milliseconds(-10))),
      .init(name: "Volca Beats:MIDI 1", route: 1, Route(contents: .clock)),
    ]
    state.lateness = [4, 21, 51]
    for (w, h) in [(40, 12), (60, 20), (80, 24), (100, 30), (24, 8), (30, 3), (20, 1)] {
      print("\(w)x\(h)")
      for line in ScreenLayout(state, width: w, height: h, symbols: .unicode).canvas.lines { print("|" + line) }
    }
    state.pattern = ClickPattern(plain: try Meter(text: "6/8"))
    state.chosenBeat = 4
    for line in ScreenLayout(state, width: 80, height: 24, symbols: .ascii).canvas.lines { print("|" + line) }
    state.helpPage = 0
    for line in ScreenLayout(state, width: 80, height: 24, symbols: .ascii).canvas.lines { print("|" + line) }
    for line in ScreenLayout(state, width: 40, height: 12, symbols: .ascii).canvas.lines { print("|" + line) }
  }
}
