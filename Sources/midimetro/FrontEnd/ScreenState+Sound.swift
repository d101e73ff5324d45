internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

extension ScreenState {
  /// Shows how loud `player` is and which set it plays.
  mutating func show(_ player: ClickPlayer) {
    volume = player.volume
    soundSet = player.set?.rawValue
  }
}
