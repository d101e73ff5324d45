internal import MIDIClock
internal import MetronomeCore

/// The logic of the screen: takes in states, events and keys; gives what to show and to request.
///
/// Pure: time is a parameter, and nothing here knows of a terminal or an engine. A beat flashes at
/// its own instant, also when it was reported ahead of it.
struct ScreenModel: Sendable {
  var state: ScreenState
  /// Reported but not yet due, oldest first.
  private var due: [(time: HostTime, beat: PlanReport.Beat)] = []
  var beatTime = HostTime.zero
  var beatLength = HostTime.Span.zero
  private var noticeEnd = HostTime.distantFuture
  private var warningEnd = HostTime.distantFuture
  var helpPages = 1
  /// The score; its meters are shown while following, and its parts are named.
  private(set) var score: Score?

  init(_ state: ScreenState) { self.state = state }

  /// Shows the meters of `score` as they come, and the names of its parts.
  mutating func show(_ score: Score) { self.score = score }

  // MARK: - Time

  /// Takes in a report of the engine; a beat flashes at its time.
  mutating func take(_ report: PlanReport, at time: HostTime) {
    guard case .beat(let beat) = report else { return }
    let place = due.lastIndex { !(time < $0.time) }.map { $0 + 1 } ?? 0
    due.insert((time, beat), at: place)
    // A minute of beats is more than any plan runs ahead.
    if due.count > 512 { due.removeFirst() }
  }

  /// Brings the state to `now`.
  mutating func advance(to now: HostTime) {
    while let next = due.first, !(now < next.time) {
      due.removeFirst()
      show(next.beat, next.time)
    }
    if state.litBeat != nil {
      let since = now - beatTime
      let subdivision = state.pattern.subdivision
      if beatLength > .zero {
        state.part = min(
          subdivision - 1, since.nanoseconds * subdivision / beatLength.nanoseconds)
      }
      if !(since < lit) { state.litBeat = nil }
    }
    if !(now < noticeEnd) {
      state.notice = nil
      noticeEnd = .distantFuture
    }
    if !(now < warningEnd) {
      state.warnings = []
      warningEnd = .distantFuture
    }
  }

  /// How long a spot is lit: the whole beat when its clicks are shown in it, else half of it and
  /// 150 ms at most, so that two beats never run together.
  var lit: HostTime.Span {
    let half = HostTime.Span(nanoseconds: beatLength.nanoseconds / 2)
    if state.pattern.subdivision > 1 {
      return HostTime.Span(nanoseconds: beatLength.nanoseconds * 9 / 10)
    }
    return min(half, .milliseconds(150))
  }

  /// When the state changes next by itself; far away when it does not.
  var nextChange: HostTime {
    var next = due.first?.time ?? .distantFuture
    if state.litBeat != nil {
      next = min(next, beatTime + lit)
      let subdivision = state.pattern.subdivision
      if subdivision > 1, state.part + 1 < subdivision {
        let part = beatLength.nanoseconds * (state.part + 1) / subdivision
        next = min(next, beatTime + HostTime.Span(nanoseconds: part + 1))
      }
    }
    return min(next, min(noticeEnd, warningEnd))
  }

  // MARK: - What the outside knows

  /// Shows `text` for a while as something that is not as it should be.
  mutating func warn(_ text: String, at now: HostTime) {
    state.warnings.append(text)
    if state.warnings.count > 8 { state.warnings.removeFirst() }
    warningEnd = now + .seconds(8)
  }

  /// Tells that a tap was taken: `count` in a row, of which `needed` give `purpose`.
  mutating func tell(taps count: Int, of needed: Int, for purpose: String, at now: HostTime) {
    guard state.taps != Int64(count) else { return }
    state.taps = Int64(count)
    guard count > 0 else { return }
    let left = needed - count
    say(left > 0 ? "tap \(count); \(left) more for \(purpose)" : "tap \(count)", at: now)
  }

  /// Shows `text` for a moment.
  mutating func say(_ text: String, at now: HostTime) {
    state.notice = text
    noticeEnd = now + .seconds(3)
  }

  /// A destination has gone or come back.
  mutating func tell(_ notice: ConnectionNotice) {
    let trouble: String? =
      switch notice {
      case .lost: "gone"
      case .found: nil
      case .released: "disconnected"
      case .failed: "refuses"
      case .feedbackLoop: nil
      }
    for index in state.lines.indices where state.lines[index].name == notice.name {
      state.lines[index].trouble = trouble
    }
  }

  /// Changes what the outside alone can know: destinations, lateness, what is measured.
  mutating func update(_ change: (inout ScreenState) -> Void) { change(&state) }
}
