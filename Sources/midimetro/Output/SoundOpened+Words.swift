internal import MetronomeCore

extension SoundOpened.Reason {
  /// The reason, in words that can follow the driver.
  var words: String {
    switch self {
    case .askedFor: return "asked for"
    case .firstWorking(let failed):
      guard !failed.isEmpty else { return "the first there is" }
      let names = failed.map { $0.isSilent ? "\($0.driver) does not answer" : "no \($0.driver)" }
      return "the first that works (\(names.joined(separator: ", ")))"
    }
  }
}
