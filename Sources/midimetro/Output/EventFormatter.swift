internal import MIDIClock

/// What all reporters say in the same way: an event in words or as JSON, a warning, a source's
/// name.
///
/// Times are those of the stamps, from `origin`.
struct EventFormatter {
  let form: OutputForm
  let origin: HostTime

  /// An event's line; `nil` where none is wanted.
  func event(
    _ type: EventType, _ words: String, _ stamp: HostTime,
    _ members: [(String, JSON.Value)] = []
  ) -> String? {
    switch form {
    case .quiet, .screen: nil
    case .plain: words
    case .json: JSON.line(type, [("time", .seconds(stamp - origin))] + members)
    }
  }

  /// A warning: JSON on the standard output, else `nil` after complaining.
  func warning(_ message: String, _ stamp: HostTime) -> String? {
    guard form == .json else {
      StandardOutput.complain(message)
      return nil
    }
    return event(.warning, "", stamp, [("message", .string(message))])
  }

  /// The line for a new position.
  func position(_ pointer: SongPosition, _ position: Position, _ stamp: HostTime) -> String? {
    event(
      .position, "position: bar \(position.bar), beat \(position.beat)", stamp,
      [
        ("sixteenths", .integer(pointer.midiBeats)), ("bar", .integer(position.bar)),
        ("beat", .integer(position.beat)),
      ])
  }

  /// The line that names the source.
  func source(port: String, name: String, at stamp: HostTime) -> String? {
    event(
      .source, name == port ? "source: \(name)" : "source: \"\(name)\" at \(port)", stamp,
      [("port", .string(port)), ("name", .string(name))])
  }
}
