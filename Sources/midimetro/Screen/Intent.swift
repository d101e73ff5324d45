/// What somebody at the screen wants.
enum Intent: Hashable, Sendable {
  case playPause, stop, restart, tap, panic, quit, help
  /// Thousandths of a quarter a minute, added.
  case tempo(by: Int64)
  /// A place of the slider, 0 to 1000.
  case slide(Int64)
  /// Steps in the list of meters.
  case meter(by: Int)
  case chooseMeter(Int)
  /// Begin or end the choice of accents; the next accent of a beat, from 1.
  case accents
  case accent(beat: Int64)
  case subdivision(by: Int64)
  /// Percent.
  case swing(by: Int64)
  /// Milliseconds.
  case nudge(by: Int64)
  case clock
  case volume(by: Int64)
  case soundSet
  case route(by: Int)
  /// Show the ports to connect, or no more.
  case ports
  /// Lines down in their list, or the line that was pressed.
  case port(by: Int)
  case choosePort(Int)
  /// Connect the port chosen, or disconnect it.
  case connect
  case mute
  /// Milliseconds.
  case offset(by: Int64)
  case save
  /// A letter of something typed, which the first digit begins.
  case type(Character)
  case erase, enter, cancel
  case left, right, up, down
}
