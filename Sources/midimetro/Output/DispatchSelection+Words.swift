internal import MetronomeCore

extension DispatchSelection.Reason {
  /// The reason, in words that can follow the way after a colon.
  var words: String {
    switch self {
    case .askedFor: "asked for"
    case .priority(let priority): "our own thread has real-time priority \(priority)"
    case .priorityRefused(let error):
      "real-time priority is refused (\(error)); see midimetro doctor"
    case .noSequencer: "there is no sequencer"
    }
  }
}
