/// A type of line that `--json` writes: its commands, when it comes, and its members.
///
/// The one table of the interface: lines are written by it (`JSON.line`), and docs/JSON.md is made
/// from it.
struct EventType: Sendable {
  /// The value of the member `type`.
  let name: String
  /// The commands that write it.
  let verbs: [Verb]
  /// When it comes.
  let when: String
  /// Its members after `type`, in the order written.
  let fields: [EventField]

  private init(_ name: String, _ verbs: [Verb], _ when: String, _ fields: [EventField]) {
    self.name = name
    self.verbs = verbs
    self.when = when
    self.fields = fields
  }

  func field(_ key: String) -> EventField? { fields.first { $0.key == key } }

  /// What is wrong with `members` as a line of this type; `nil` when nothing is.
  func fault(in members: [(String, JSON.Value)]) -> String? {
    EventField.fault(in: members, of: name, fields)
  }
}

// MARK: - Members that several types share

extension EventType {
  private static let time = EventField(
    "time", .number, "s",
    "from pulse 0 in play, from the start of the program elsewhere; in a replay, the log's own time"
  )
  private static let bar = EventField("bar", .integer, "the bar, from 1; 0 and below count in")
  private static let beat = EventField("beat", .integer, "the beat of the meter's unit, from 1")
  private static let port = EventField(
    "port", .text, "its address, such as 24:0, or its name in a log")
  private static let name = EventField("name", .text, "the client's and the port's name")
  private static let dispatch = EventField("dispatch", .text, "precise or queued")
  private static let reason = EventField("reason", .text, "why")
  private static let client = EventField("client", .integer, "our client number")
  private static let destinations = EventField(
    "destinations", .texts, "the names of the destinations")
  private static let origin = EventField(
    "origin_ns", .integer, "ns", "CLOCK_MONOTONIC of time 0")
}

extension EventField {
  fileprivate init(_ key: String, _ kind: Kind, _ meaning: String) {
    self.init(key, kind, "", .always, meaning)
  }
  fileprivate init(_ key: String, _ kind: Kind, _ unit: String, _ meaning: String) {
    self.init(key, kind, unit, .always, meaning)
  }
}

// MARK: - The table

extension EventType {
  private static let running: [Verb] = [.play, .follow, .tap, .monitor]
  private static let sounding: [Verb] = [.play, .follow, .tap]

  static let playing = EventType(
    "playing", [.play], "first, once everything is open",
    [
      EventField("bpm", .number, "BPM", "the tempo it begins with"),
      EventField("meter", .text, "the meter it begins with, with its groups"),
      dispatch, reason,
      EventField("client", .integer, "", .nullable, "our client number; null without a sequencer"),
      destinations,
      EventField("sources", .texts, "the names of the pads and pedals"), origin,
    ])
  static let following = EventType(
    "following", [.follow], "first, once everything is open",
    [EventField("meter", .text, "the meter that is counted"), client, destinations, origin])
  static let start = EventType(
    "start", [.play, .follow, .monitor], "Start: from the top", [time, optionalPort])
  static let `continue` = EventType(
    "continue", [.play, .follow, .monitor], "Continue: from the place kept", [time, optionalPort])
  static let stop = EventType("stop", [.play, .follow, .monitor], "Stop", [time, optionalPort])
  private static let optionalPort = EventField(
    "port", .text, "", .optional, "whose it is, in monitor")
  static let position = EventType(
    "position", [.play, .follow, .monitor], "Song Position: the place moved while stopped",
    [
      time, EventField("sixteenths", .integer, "the pointer, in sixteenths from the top"), bar,
      beat, optionalPort,
    ])
  static let beatBegins = EventType(
    "beat", [.play, .follow], "a beat begins",
    [
      time, bar, beat, EventField("accent", .text, "strong, medium, weak or silent"),
      EventField(
        "pulse", .integer, "", .nullable,
        "the pulse it falls on, from 0 at the top; null in a count-in"),
      EventField("bpm", .number, "BPM", .nullable, "the tempo there; null while unknown"),
      EventField("filtered_time", .number, "s", .optional, "follow: the beat on the steadied line"),
      EventField("count_in", .boolean, "", .optional, "true before the Start"),
      EventField("section", .text, "", .optional, "the part of the score that begins here"),
    ])
  static let tempo = EventType(
    "tempo", [.play, .follow], "the shown tempo changes; in follow at most ten times a second",
    [
      time, EventField("bpm", .number, "BPM", "the tempo"),
      EventField(
        "raw_bpm", .number, "BPM", .nullableOptional, "follow: that of the last interval alone"),
      EventField("uncertainty", .number, "BPM", .optional, "follow: standard deviation of bpm"),
      EventField("jitter_us", .number, "us", .optional, "follow: standard deviation of a pulse"),
    ])
  static let clockLost = EventType(
    "clock_lost", [.follow], "no pulse for the time of --lost-after", [time])
  static let clockFound = EventType("clock_found", [.follow], "pulses again after a loss", [time])
  static let source = EventType(
    "source", [.follow, .tap, .monitor], "a source is taken, or seen for the first time",
    [time, port, name])
  static let tap = EventType(
    "tap", [.play, .tap], "a tap is taken",
    [
      time, EventField("taps", .integer, "taps in this series"),
      EventField("bpm", .number, "BPM", .nullable, "their tempo; null before the second"),
      EventField("spread_ms", .number, "ms", .nullable, "standard deviation of the taps"),
      EventField("uncertainty", .number, "BPM", .nullable, "standard deviation of bpm"),
      EventField("next_beat", .number, "s", .nullable, "when the next beat is due"),
    ])
  static let ignored = EventType(
    "ignored", [.play, .follow, .tap], "a message changes nothing",
    [
      time, EventField("reason", .text, "release, bounce, outlier or filtered"),
      EventField("message", .text, "", .optional, "follow: continue, stop or position"),
    ])
  static let control = EventType(
    "control", [.play], "a pad or pedal acts",
    [time, EventField("action", .text, "what it does")])
  static let learned = EventType(
    "learned", [.tap], "with --learn: a pad was hit",
    [
      time, port, name, EventField("note", .integer, "", .optional, "its note"),
      EventField("cc", .integer, "", .optional, "its controller"),
      EventField("channel", .integer, "its channel, 1 to 16"),
      EventField("strength", .integer, "velocity or value"),
      EventField("tap", .text, "the options that tap on it"),
      EventField("control", .text, "the option that plays and stops by it"),
    ])
  static let warning = EventType(
    "warning", running, "something is not as it should be",
    [time, EventField("message", .text, "what, where, and what to do")])
  static let sound = EventType(
    "sound", sounding, "the audio driver is open",
    [
      EventField("driver", .text, "the driver"), reason,
      EventField("sound", .text, "the click set or sound font"),
      EventField("rate", .integer, "Hz", "frames a second"),
      EventField("block", .integer, "frames asked for at once"),
      EventField("buffer", .integer, "frames the driver holds"),
      EventField("latency_ns", .integer, "ns", "from a frame's being asked for to its being heard"),
      EventField("delay_ns", .integer, "ns", "by how much clicks are late all the same"),
    ])
  static let soundSummary = EventType(
    "sound_summary", sounding, "at the end, when there was sound",
    [
      EventField("clicks", .integer, "clicks begun"),
      EventField("late", .integer, "begun late"),
      EventField("missed", .integer, "left out because they were too late"),
      EventField("interruptions", .integer, "dropouts of the audio stream"),
      EventField("rate", .number, "Hz", "the measured rate of the device"),
    ])
  static let clock = EventType(
    "clock", [.monitor], "at the end, one for each clock",
    [
      port, name, EventField("pulses", .integer, "pulses heard"),
      EventField("gaps", .integer, "pauses"), EventField("doubles", .integer, "doubled pulses"),
      EventField("missing", .integer, "pulses missing"),
      EventField("extra", .integer, "pulses too many"),
      EventField("longest_interval_us", .number, "us", "the longest interval"),
      EventField("bpm", .number, "BPM", .nullable, "the tempo; null with too few pulses"),
      EventField("near", .number, "BPM", .nullableOptional, "the round tempo it is nearest to"),
      EventField("drift_ppm", .number, "ppm", .nullableOptional, "its drift against that"),
      EventField("measured", .integer, "", .optional, "pulses measured"),
      EventField("grid_sd_us", .number, "us", .optional, "standard deviation from the line"),
      EventField("interval_sd_us", .number, "us", .optional, "standard deviation of the intervals"),
      EventField("p99_us", .number, "us", .optional, "99 % lie within this of the line"),
      EventField("max_us", .number, "us", .optional, "the farthest from the line"),
      EventField("peak_to_peak_us", .number, "us", .optional, "from the earliest to the latest"),
      EventField(
        "histogram", .object, "", .optional, "how many pulses lie how far from the line",
        members: [
          EventField("width_us", .number, "us", "the width of a bar"),
          EventField("first_us", .number, "us", "the middle of the first bar"),
          EventField("counts", .integers, "the pulses in each bar; the outermost two are open"),
        ]),
    ])
  static let summary = EventType(
    "summary", running, "the last line, at the end of the input or on Ctrl-C",
    [
      EventField("pulses", .integer, "pulses while rolling since the last Start"),
      EventField(
        "beats", .integer, "beats begun since the last Start; in monitor, in all; in tap, taps"),
      EventField("bpm", .number, "BPM", .nullable, "the last tempo; null when there was none"),
      EventField("missing", .integer, "pulses missing"),
      EventField("extra", .integer, "pulses too many; in tap, bounces and outliers"),
      EventField("dispatch", .text, "", .optional, "play: precise or queued"),
      EventField(
        "put_off", .integer, "", .optional, "play: times the plan was postponed after a stall"),
      EventField("refused", .integer, "", .optional, "play: messages that the kernel refused"),
      EventField(
        "lateness_us", .object, "us", .optional, "play: how late pulses left by our own clock",
        members: [
          EventField("median", .number, "us", "half were less late"),
          EventField("p99", .number, "us", "99 % were less late"),
          EventField("max", .number, "us", "the latest"),
        ]),
      EventField("taps", .integer, "", .optional, "tap: taps taken"),
      EventField("ignored", .integer, "", .optional, "tap: hits that were no taps"),
      EventField("sources", .integer, "", .optional, "monitor: clocks heard"),
    ])
  static let listedPort = EventType(
    "port", [.ports], "one for each port",
    [
      EventField("address", .text, "its address, such as 24:0"),
      EventField("client", .text, "the client's name"),
      EventField("port", .text, "the port's name"),
      EventField("use", .texts, "to: it can be sent to; from: it can be followed"),
    ])
  static let bench = EventType(
    "bench", [.bench], "the only line",
    [
      EventField("bpm", .number, "BPM", "the tempo sent"), dispatch, reason,
      EventField("pulses", .integer, "pulses that came back"),
      EventField("sent", .integer, "pulses sent"),
      EventField("grid_sd_us", .number, "us", "standard deviation from the line"),
      EventField("peak_to_peak_us", .number, "us", "from the earliest to the latest"),
      EventField("p99_us", .number, "us", "99 % lie within this of the line"),
      EventField("greatest_error_us", .number, "us", "the farthest from the exact grid"),
      EventField("interval_sd_us", .number, "us", "standard deviation of the intervals"),
      EventField("interval_min_us", .number, "us", "the shortest interval"),
      EventField("interval_max_us", .number, "us", "the longest interval"),
      EventField("ppm", .number, "ppm", "error of the tempo"),
      EventField("start_gap_us", .number, "us", .nullable, "from Start to the first pulse"),
      EventField("overruns", .integer, "times that input was lost"),
    ])
  static let check = EventType(
    "check", [.doctor], "one for each check",
    [
      EventField("name", .text, "what is checked"), EventField("level", .text, "ok, warn or fail"),
      EventField("detail", .text, "what was found"),
      EventField("remedy", .text, "", .nullable, "what to do; null when there is nothing"),
      EventField("destinations", .integer, "", .optional, "ports that can be sent to"),
      EventField("sources", .integer, "", .optional, "ports that can be followed"),
      EventField("limit", .text, "", .optional, "the limit that holds"),
      EventField("auto", .text, "", .optional, "what --dispatch auto takes"),
      EventField("timer", .text, "", .optional, "the sequencer's timer"),
      EventField("period_us", .number, "us", .optional, "its period"),
      EventField("median_us", .number, "us", .optional, "wake-ups: the median lateness"),
      EventField("p99_us", .number, "us", .optional, "wake-ups: 99 % are less late"),
      EventField("max_us", .number, "us", .optional, "wake-ups: the latest"),
      EventField("count", .integer, "", .optional, "wake-ups measured"),
      EventField("drivers", .texts, "", .optional, "audio drivers"),
      EventField("driver", .text, "", .optional, "the audio driver that opened"),
    ])
  static let diagnosis = EventType(
    "summary", [.doctor], "the last line",
    [
      EventField("can_play", .boolean, "whether midimetro can play here"),
      dispatch, EventField("ok", .integer, "checks that are well"),
      EventField("warn", .integer, "checks that could be better"),
      EventField("fail", .integer, "checks that failed"),
    ])

  /// Every type, in the order of docs/JSON.md.
  static let all = [
    playing, following, start, `continue`, stop, position, beatBegins, tempo, clockLost, clockFound,
    source, tap, ignored, control, learned, warning, sound, clock, soundSummary, summary,
    listedPort,
    check, diagnosis, bench,
  ]
}
