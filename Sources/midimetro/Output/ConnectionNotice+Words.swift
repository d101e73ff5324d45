internal import MIDIClock
internal import MetronomeCore

extension ConnectionNotice {
  /// The full name of the port it is about.
  var name: String {
    switch self {
    case .lost(let name), .found(let name, _), .released(let name), .failed(let name, _),
      .feedbackLoop(let name):
      name
    }
  }

  /// What the port is to the command that tells of it.
  enum Role {
    case destination, source, pad
  }

  /// The sentence that tells of it.
  func message(about role: Role) -> String {
    switch (self, role) {
    case (.lost(let name), .destination):
      "\(name) is gone; the rest plays on, and it is connected when it returns"
    case (.lost(let name), .source):
      "the source \(name) is gone; it is followed again when it returns"
    case (.lost(let name), .pad): "the source \(name) is gone; it counts again when it returns"
    case (.found(let name, let address), _): "\(name) is back at \(address) and connected"
    case (.released(let name), _): "\(name) was disconnected by another program"
    case (.failed(let name, let error), _): "\(name) is back but cannot be connected: \(error)"
    case (.feedbackLoop(let name), .pad):
      "our own ports were connected to \(name), whose taps count; that cable is undone"
    case (.feedbackLoop(let name), .destination), (.feedbackLoop(let name), .source):
      "\(name) is the source, so what goes out there would come back: it was disconnected"
    }
  }
}
