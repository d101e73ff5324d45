internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// What the facts mean: one finding a check, and whether midimetro can play.
struct Diagnosis {
  enum Level: String, Sendable {
    case ok, warn, fail
  }

  struct Finding: Sendable {
    let check: String
    let level: Level
    let detail: String
    /// What mends it; every finding that is not ok has one.
    var remedy: String?
    /// For `--json`: the figures in the detail.
    var values: [(String, JSON.Value)] = []
  }

  private(set) var findings: [Finding] = []
  /// 0 when midimetro can play here.
  var status = ExitStatus.done
  /// What `--dispatch auto` takes.
  let dispatch: DispatchMode

  init(_ facts: MachineFacts) {
    if case .realtime = facts.scheduling { dispatch = .precise } else { dispatch = .queued }
    examineSequencer(facts)
    examineRealtime(facts)
    examineQueue(facts)
    examineWakeUps(facts)
    examineMachine(facts)
    examineSound(facts)
  }

  mutating func add(
    _ check: String, _ level: Level, _ detail: String, _ remedy: String? = nil,
    _ values: [(String, JSON.Value)] = []
  ) {
    findings.append(
      Finding(check: check, level: level, detail: detail, remedy: remedy, values: values))
  }
}
