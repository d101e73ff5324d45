internal import MIDIClock

extension Accent {
  /// What follows a beat in a line; the usual one is not worth a word.
  var mark: String {
    switch self {
    case .strong: " strong"
    case .medium: " medium"
    case .weak: ""
    case .silent: " silent"
    }
  }
}
