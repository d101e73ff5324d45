internal import MIDIClock
internal import MetronomeCore

/// What midimetro can be asked to do.
enum Verb: String, CaseIterable, Sendable {
  case play, follow, tap, monitor, render, check, ports, doctor, bench, help

  /// Whether it begins with the options of the config file.
  var readsConfig: Bool {
    switch self {
    case .play, .follow, .tap, .monitor, .render: true
    case .check, .ports, .doctor, .bench, .help: false
    }
  }

  /// One line for the list of commands.
  var summary: String {
    switch self {
    case .play: "click and send MIDI clock (the default command)"
    case .follow: "follow an incoming clock: bar, beat and tempo, clicks, a steadier clock"
    case .tap: "tell the tempo of what is tapped on a pad, key or pedal"
    case .monitor: "measure how even incoming clocks are"
    case .render: "write the clicks to a sound file or a MIDI file"
    case .check: "say whether a score file is right, and what is in it"
    case .ports: "list the sequencer's ports"
    case .doctor: "say what this machine can do, and how to mend what it cannot"
    case .bench: "send to itself through the sequencer and print the measured jitter"
    case .help: "explain a command"
    }
  }
}
