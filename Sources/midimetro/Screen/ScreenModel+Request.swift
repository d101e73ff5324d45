internal import MIDIClock
internal import MetronomeCore

extension ScreenModel {
  /// What the outside is asked to do.
  enum Request: Hashable, Sendable {
    case change(PlanChange)
    case volume(Int64)
    case soundSet(String)
    case tap
    /// Keep what is set as the profile of that name.
    case save(String)
    /// Tell what ports there are to connect.
    case listPorts
    case connect(ConnectablePort)
    case disconnect(ConnectablePort)
    case panic
    case quit

    /// Whether `next`, right after it, says all that it says: both set the same thing to a value.
    private func isOutdone(by next: Request) -> Bool {
      switch (self, next) {
      case (.change(.tempo), .change(.tempo)), (.change(.pattern), .change(.pattern)),
        (.change(.policy), .change(.policy)), (.volume, .volume), (.soundSet, .soundSet):
        true
      case (.change(.offset(let route, _)), .change(.offset(let other, _))),
        (.change(.mute(let route, _)), .change(.mute(let other, _))):
        route == other
      default: false
      }
    }

    /// `requests` without those that the next one makes void, so that keys that came all at once
    /// (a held key on a slow line, a paste) do not fill the engine's inbox.
    static func merged(_ requests: [Request]) -> [Request] {
      var kept: [Request] = []
      for request in requests {
        if let last = kept.last, last.isOutdone(by: request) { kept.removeLast() }
        kept.append(request)
      }
      return kept
    }
  }
}
