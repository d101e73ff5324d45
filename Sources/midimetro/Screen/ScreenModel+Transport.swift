internal import MIDIClock
internal import MetronomeCore

// What the keys that start and stop ask for.

extension ScreenModel {
  mutating func playPause() -> [Request] {
    goesToTop = false
    guard !isPlaying else {
      leaveOff()
      return [.change(.transport(.stop))]
    }
    wantsToPlay = true
    switch state.motion {
    case .rolling, .paused: return [.change(.transport(.continue))]
    case .countingIn, .stopped, .silent: return [.change(.transport(.start))]
    }
  }

  /// Whether it plays, or will when what was asked for has been done: a key hit twice is two keys.
  private var isPlaying: Bool {
    if let wantsToPlay { return wantsToPlay }
    switch state.motion {
    case .rolling, .countingIn: return true
    case .paused, .stopped, .silent: return false
    }
  }

  /// A stop was asked for; that of a count-in is no message, so nothing will tell of it.
  private mutating func leaveOff() {
    wantsToPlay = false
    if case .countingIn = state.motion {
      state.motion = .stopped
      state.litBeat = nil
    }
  }

  /// From the top: on the next beat while it plays, else as soon as can be.
  mutating func restart() -> [Request] {
    if case .countingIn = state.motion { return [] }
    // A Start under way is not begun again.
    if state.motion != .rolling, wantsToPlay == true { return [] }
    goesToTop = false
    wantsToPlay = true
    return [.change(.transport(.start))]
  }

  /// Stop goes back to the top; when stopped already there is nothing to do.
  mutating func stop() -> [Request] {
    var requests: [Request] = []
    if isPlaying {
      goesToTop = state.motion == .rolling || wantsToPlay == true
      leaveOff()
      requests.append(.change(.transport(.stop)))
    } else if state.motion == .paused {
      state.motion = .stopped
    } else if state.motion == .rolling {
      goesToTop = true
    }
    requests.append(.change(.transport(.locate(.zero))))
    return requests
  }
}
