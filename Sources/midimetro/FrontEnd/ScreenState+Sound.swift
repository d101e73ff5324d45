internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

extension ScreenState {
  /// Shows how loud `player` is and which set it plays; nothing where nothing sounds.
  mutating func show(_ player: ClickPlayer?, _ options: SoundOptions) {
    guard let player else { return }
    volume = player.volume
    if options.choice != .font { soundSet = options.settings.set.rawValue }
  }
}
