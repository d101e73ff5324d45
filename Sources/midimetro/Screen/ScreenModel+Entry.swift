internal import MIDIClock
internal import MetronomeCore

// What is typed: a tempo, a meter, or a profile's name.

extension ScreenModel {
  mutating func obeyEntry(_ intent: Intent, at now: HostTime) -> [Request] {
    switch intent {
    case .type(let character):
      guard (state.entry?.count ?? 0) < 32 else { return [] }
      // The config file takes no such letter.
      guard character.unicodeScalars.allSatisfy(Words.isPrintable) else { return [] }
      state.helpPage = nil
      state.entry = (state.entry ?? "") + String(character)
    case .erase:
      if state.entry?.isEmpty == false { state.entry?.removeLast() }
      if state.entry?.isEmpty == true, !state.entryNamesProfile { state.entry = nil }
    case .cancel: endEntry()
    case .enter: return takeEntry(at: now)
    default: break
    }
    return []
  }

  /// What was typed is a meter if it can be one, else a tempo.
  private mutating func takeEntry(at now: HostTime) -> [Request] {
    guard let text = state.entry else { return [] }
    let namesProfile = state.entryNamesProfile
    endEntry()
    if namesProfile {
      let name = text.trimmed
      return name.isEmpty ? [] : [.action(.save(name))]
    }
    do throws(Meter.TextError) { return [.action(.meter(try Meter(text: text)))] } catch {
      do throws(Tempo.TextError) { return [.action(.tempo(try Tempo(text: text)))] } catch let
        refused
      {
        // The message is about what it looks like.
        say(
          text.contains("/") && !text.contains("=") ? "\(error)" : "\(refused)", at: now)
        return []
      }
    }
  }

  private mutating func endEntry() {
    state.entry = nil
    state.entryNamesProfile = false
  }
}

extension String {
  /// Without blanks at either end.
  fileprivate var trimmed: String {
    var rest = drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
