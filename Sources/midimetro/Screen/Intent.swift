internal import MIDIClock

/// The meaning of a key or a mouse press: an action, or something of the screen's own.
enum Intent: Hashable, Sendable {
  case action(Action)
  /// Mute the chosen destination, or change its offset by milliseconds.
  case mute
  case offset(by: Int64)
  /// A place of the slider, 0 to 1000.
  case slide(Int64)
  /// A place in the list of meters.
  case chooseMeter(Int)
  case help
  /// Start or end the choice of accents.
  case accents
  /// Choose the destination this many lines down.
  case route(by: Int)
  /// Show the ports to connect, or no more.
  case ports
  /// Lines down in their list, or the line that was pressed.
  case port(by: Int)
  case choosePort(Int)
  /// Connect the port chosen, or disconnect it.
  case connect
  case save
  /// A letter of something typed, which the first digit begins.
  case type(Character)
  case erase, enter, cancel
  case left, right, up, down

  /// The jobs it exists in: those of the actions that it results in.
  var jobs: Set<Job> {
    switch self {
    case .action(let action): action.jobs
    case .mute: Action.mute(0).jobs
    case .offset: Action.offsetStep(0, 0).jobs
    case .chooseMeter: Action.meter(.common).jobs
    case .slide, .type, .erase, .enter, .cancel: Action.tempo(.standard).jobs
    case .accents, .left, .right, .up, .down: Action.accent(1).jobs
    case .save: Action.save("").jobs
    case .route, .ports, .port, .choosePort, .connect: [.play, .follow]
    case .help: Set(Job.allCases)
    }
  }
}
