internal import MIDIClock
internal import MetronomeCore

/// Turns what the sound has to say into lines of text or JSON.
struct SoundReporter {
  /// A line to be printed, or a warning.
  enum Said: Hashable {
    case line(String)
    case warning(String)
  }

  let form: OutputForm

  /// What to say; `nil` when there is nothing to say.
  func say(_ news: SoundNews) -> Said? {
    switch news {
    case .ready(let opened): ready(opened).map { .line($0) }
    case .failed(let error): .warning("no sound: \(error)")
    case .lost(let driver):
      .warning("the sound is gone: the audio driver \(driver) has stopped; it is tried again")
    case .interrupted(let times):
      .warning(
        "the sound was interrupted (\(Words.count(times, "time")) so far); if it goes on,"
          + " give a longer --audio-period")
    }
  }

  private func ready(_ opened: SoundOpened) -> String? {
    switch form {
    case .quiet: nil
    case .plain, .screen:
      "sound: \(opened.sound) through \(opened.driver), \(opened.reason.words); \(opened.rate) Hz, "
        + "\(opened.block) frames at once, \(Self.milliseconds(opened.latency)) ms of latency"
        + (opened.delay == .zero
          ? " compensated" : ", clicks \(Self.milliseconds(opened.delay)) ms late")
    case .json:
      JSON.line(
        .sound,
        [
          ("driver", .string(opened.driver)), ("reason", .string(opened.reason.words)),
          ("sound", .string(opened.sound)), ("rate", .integer(opened.rate)),
          ("block", .integer(opened.block)), ("buffer", .integer(opened.buffer)),
          ("latency_ns", .integer(opened.latency.nanoseconds)),
          ("delay_ns", .integer(opened.delay.nanoseconds)),
        ])
    }
  }

  /// The line at the end; `nil` when nothing was heard.
  func summary(_ tally: SoundTally) -> String? {
    guard let rate = tally.rate, rate.isFinite else { return nil }
    switch form {
    case .quiet: return nil
    case .plain, .screen:
      return
        "sound: \(Words.count(tally.clicks, "click")), \(tally.late) late, \(tally.missed) left out;"
        + " \(Words.count(tally.interruptions, "interruption"));"
        + " the device runs at \(Thousandths.text(Int64(rate * 1_000 + 0.5))) Hz"
    case .json:
      return JSON.line(
        .soundSummary,
        [
          ("clicks", .integer(tally.clicks)),
          ("late", .integer(tally.late)), ("missed", .integer(tally.missed)),
          ("interruptions", .integer(tally.interruptions)),
          ("rate", .rounded(rate, places: 3)),
        ])
    }
  }

  private static func milliseconds(_ span: HostTime.Span) -> String {
    Thousandths.text((span.nanoseconds + 50_000) / 100_000 * 100)
  }
}
