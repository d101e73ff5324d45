internal import MIDIClock
internal import MetronomeCore

/// A shell that completion is made for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}
