internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// What is measured of every source, and the words for it.
struct MonitorReport: LogListener {
  private struct Source {
    let port: String
    let name: String
    let measurement = ClockMeasurement()
    var transport: [String] = []
  }

  private let formatter: EventFormatter
  /// The ports of a log to measure; empty for all.
  private let wanted: [String]
  private var sources: [Source] = []
  private var places: [String: Int] = [:]
  /// The ports in a log of which some are wanted, and its newest time.
  private var logged: Set<String> = []
  private var newest = HostTime.zero

  init(form: OutputForm, origin: HostTime, wanted: [String]) {
    formatter = EventFormatter(form: form, origin: origin)
    // A log's names are written after an @, and some will type it.
    self.wanted = wanted.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
  }

  mutating func take(_ line: LogLine, _ lines: inout [String]) {
    let port = line.port ?? ""
    if !wanted.isEmpty {
      logged.insert(port)
      newest = line.time
      guard wanted.contains(port) else { return }
    }
    guard let message = MIDIMessage(bytes: line.bytes) else { return }
    take(message, port: port, name: port, at: line.time, &lines)
  }

  /// Whether `take` makes anything of `message`: it is one of the clock's.
  static func isMeasured(_ message: MIDIMessage) -> Bool {
    switch message {
    case .noteOn, .noteOff, .control: false
    case .clock, .start, .continue, .stop, .songPosition: true
    }
  }

  mutating func take(
    _ message: MIDIMessage, port: String, name: String, at stamp: HostTime,
    _ lines: inout [String]
  ) {
    let (type, word): (EventType, String)
    var members: [(String, JSON.Value)] = []
    switch message {
    case .clock:
      sources[place(port, name, stamp, &lines)].measurement.receive(stamp)
      return
    case .noteOn, .noteOff, .control: return
    case .start: (type, word) = (.start, "start")
    case .continue: (type, word) = (.continue, "continue")
    case .stop: (type, word) = (.stop, "stop")
    case .songPosition(let pointer):
      (type, word) = (.position, "position")
      let position = MeterSpan(start: .zero, bar: 1, pattern: .common).position(of: pointer.tick)
      members = [
        ("sixteenths", .integer(pointer.midiBeats)), ("bar", .integer(position.bar)),
        ("beat", .integer(position.beat)),
      ]
    }
    _ = place(port, name, stamp, &lines)
    let sixteenths = members.first.map { " \($0.1.text)" } ?? ""
    add(
      type, port.isEmpty ? "\(word)\(sixteenths)" : "\(port) \(word)\(sixteenths)", stamp,
      members + (port.isEmpty ? [] : [("port", .string(port))]), &lines)
  }

  /// The place of the source at `port`, which is named when it is new.
  private mutating func place(
    _ port: String, _ name: String, _ stamp: HostTime, _ lines: inout [String]
  ) -> Int {
    if let place = places[port] { return place }
    places[port] = sources.count
    sources.append(Source(port: port, name: name))
    if !port.isEmpty {
      add(
        .source, name == port ? "source: \(port)" : "source: \"\(name)\" at \(port)", stamp,
        [("port", .string(port)), ("name", .string(name))], &lines)
    }
    return sources.count - 1
  }

  private func add(
    _ type: EventType, _ words: String, _ stamp: HostTime, _ members: [(String, JSON.Value)],
    _ lines: inout [String]
  ) {
    if let line = formatter.event(type, words, stamp, members) { lines.append(line) }
  }

  /// Tells what is wrong.
  func warn(_ message: String, _ stamp: HostTime, _ lines: inout [String]) {
    if let line = formatter.warning(message, stamp) { lines.append(line) }
  }

  /// Tells of sources that have gone or come back.
  func tell(_ notices: [ConnectionNotice], _ stamp: HostTime, _ lines: inout [String]) {
    for notice in notices {
      warn(notice.message(about: .source), stamp, &lines)
    }
  }

  /// Every source's tempo and jitter now.
  var liveLine: String {
    sources.filter { $0.measurement.pulses > 0 }.map { source in
      let tempo = source.measurement.bpm.map { JSON.rounded($0, places: 2) } ?? "-"
      let jitter = Self.microseconds(Double(source.measurement.jitter.nanoseconds))
      return "\(source.name.isEmpty ? "clock" : source.name) q=\(tempo) +-\(jitter) us"
    }.joined(separator: "   ")
  }

  /// The first clock's tempo and histogram, and a line for each clock.
  func show(on state: inout ScreenState) {
    let clocks = sources.filter { $0.measurement.pulses > 0 }
    guard let first = clocks.first else { return }
    state.motion = .rolling
    state.source = first.name
    if let bpm = first.measurement.bpm {
      state.tempo = Tempo(clamping: Int64((bpm * 1_000).rounded()))
    }
    state.quality = "\(first.measurement.pulses) pulses"
    let bars = text(first)
    let others = clocks.dropFirst().map { source in
      "\(source.name): q=\(source.measurement.bpm.map { JSON.rounded($0, places: 2) } ?? "-"),"
        + " jitter \(Self.microseconds(Double(source.measurement.jitter.nanoseconds))) us"
    }
    state.histogram = others + bars.dropFirst(2)
  }

  /// False for a clock outside the tempos that there are, which no round one is near to.
  private static func isNear(_ grid: GridStatistics) -> Bool {
    grid.partsPerMillion.magnitude < 1_000
  }

  private static func microseconds(_ nanoseconds: Double) -> String {
    JSON.rounded(nanoseconds / 1_000, places: 1)
  }

  mutating func end(_ lines: inout [String]) {
    for port in wanted where !logged.contains(port) {
      warn(Replay.nothing(from: port, among: logged), newest, &lines)
    }
    let clocks = sources.filter { $0.measurement.pulses > 0 }
    for source in clocks where formatter.form != .quiet {
      if formatter.form == .json { lines.append(json(source)) } else { lines += text(source) }
    }
    let pulses = clocks.map(\.measurement.pulses).reduce(0, +)
    switch formatter.form {
    case .quiet: break
    case .plain, .screen: if clocks.isEmpty { lines.append("no clock was heard") }
    case .json:
      let first = clocks.first?.measurement
      lines.append(
        JSON.line(
          .summary,
          [
            ("pulses", .integer(pulses)),
            // Beats begun, as everywhere.
            ("beats", .integer(clocks.map { ($0.measurement.pulses + 23) / 24 }.reduce(0, +))),
            (
              "bpm",
              (first?.statistics?.grid.fittedBPM ?? first?.bpm).map { .rounded($0, places: 3) }
                ?? .null
            ),
            ("missing", .integer(clocks.map(\.measurement.missing).reduce(0, +))),
            ("extra", .integer(clocks.map(\.measurement.extra).reduce(0, +))),
            ("sources", .integer(clocks.count)),
          ]))
    }
  }

  private func json(_ source: Source) -> String {
    let measurement = source.measurement
    func us(_ nanoseconds: Double) -> JSON.Value { .rounded(nanoseconds / 1_000, places: 3) }
    var members: [(String, JSON.Value)] = [
      ("port", .string(source.port)), ("name", .string(source.name)),
      ("pulses", .integer(measurement.pulses)), ("gaps", .integer(measurement.gaps)),
      ("doubles", .integer(measurement.doubles)), ("missing", .integer(measurement.missing)),
      ("extra", .integer(measurement.extra)),
      ("longest_interval_us", .microseconds(measurement.longestGap)),
    ]
    if let (grid, tempo) = measurement.statistics {
      let histogram = DeviationHistogram(grid.deviations, within: grid.error99)
      members += [
        ("bpm", .rounded(grid.fittedBPM, places: 4)),
        ("near", Self.isNear(grid) ? .tempo(tempo) : .null),
        ("drift_ppm", Self.isNear(grid) ? .rounded(grid.partsPerMillion, places: 2) : .null),
        ("measured", .integer(grid.count)), ("grid_sd_us", us(grid.gridDeviation)),
        ("interval_sd_us", us(grid.intervalDeviation)), ("p99_us", us(grid.error99)),
        ("max_us", us(grid.greatestDeviation)), ("peak_to_peak_us", us(grid.peakToPeak)),
        (
          "histogram",
          .object([
            ("width_us", us(Double(histogram.width))),
            ("first_us", us(Double(histogram.middle(0)))),
            ("counts", .list(histogram.counts.map { .integer($0) })),
          ])
        ),
      ]
    } else {
      members.append(("bpm", measurement.bpm.map { .rounded($0, places: 4) } ?? .null))
    }
    return JSON.line(.clock, members)
  }

  private func text(_ source: Source) -> [String] {
    let measurement = source.measurement
    let name = source.name == source.port ? source.name : "\(source.name) (\(source.port))"
    var lines = [
      "",
      "\(name.isEmpty ? "clock" : name): \(Words.count(measurement.pulses, "pulse")),"
        + " \(Words.count(measurement.gaps, "gap")), \(measurement.doubles) doubled",
    ]
    guard let (grid, tempo) = measurement.statistics else {
      return lines + ["too few pulses to measure"]
    }
    let us = Self.microseconds
    lines += [
      "tempo                q=\(JSON.rounded(grid.fittedBPM, places: 4))"
        + (Self.isNear(grid)
          ? ", drift \(JSON.rounded(grid.partsPerMillion, places: 2)) ppm against q=\(tempo)" : ""),
      "grid deviation       \(us(grid.gridDeviation)) us (standard deviation, \(grid.count) pulses)",
      "interval deviation   \(us(grid.intervalDeviation)) us",
      "99 % within          \(us(grid.error99)) us",
      "greatest             \(us(grid.greatestDeviation)) us",
    ]
    let histogram = DeviationHistogram(grid.deviations, within: grid.error99)
    let most = max(1, histogram.counts.max() ?? 1)
    for (index, count) in histogram.counts.enumerated() {
      let label = us(Double(histogram.middle(index)))
      let bar = String(repeating: "#", count: (count * 50 + most - 1) / most)
      let blank = String(repeating: " ", count: max(0, 10 - label.count))
      lines.append("\(blank)\(label) us |\(bar)\(bar.isEmpty ? "" : " ")\(count)")
    }
    return lines
  }
}
