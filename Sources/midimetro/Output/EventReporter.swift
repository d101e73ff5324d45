internal import MIDIClock
internal import MetronomeCore

/// Formats session events as lines of text or JSON.
protocol EventReporter {
  var formatter: EventFormatter { get }
  /// The line for `event`; `nil` when there is nothing to say.
  mutating func line(_ event: SessionEvent, at time: HostTime) -> String?
}

extension EventReporter {
  /// The line for events that all sessions report in the same way.
  func commonLine(_ event: SessionEvent, at time: HostTime) -> String? {
    switch event {
    case .connection(let notice, let role): formatter.warning(notice.message(about: role), time)
    case .source(let port, let name): formatter.source(port: port, name: name, at: time)
    case .refused(let name, let code):
      formatter.warning(
        "\(name ?? "our own ports"): a message was refused:"
          + " \(ALSAError(operation: "snd_seq_event_output_direct", code: code))", time)
    case .sound(let news):
      switch SoundReporter(form: formatter.form).say(news) {
      // The screen says it itself.
      case .line(let line)?: formatter.form == .screen ? nil : line
      case .warning(let message)?: formatter.warning(message, time)
      case nil: nil
      }
    case .warning(let message): formatter.warning(message, time)
    case .engine, .follower, .otherSource, .tap, .ignoredHit, .ownClick, .control, .outcome,
      .played, .followed:
      nil
    }
  }
}

extension EventFormatter: EventReporter {
  var formatter: EventFormatter { self }

  func line(_ event: SessionEvent, at time: HostTime) -> String? { commonLine(event, at: time) }
}
