internal import MIDIClock
internal import MetronomeCore

/// `midimetro bench`: sends to itself through the sequencer and prints how even its clock is.
///
/// The stamps are the kernel's, taken when it delivers each message; what a device hears adds its
/// own interface and wire.
enum Bench {
  static func run(_ options: BenchOptions) throws(Failure) -> ExitStatus {
    let run = try Failure.onStart { try measure(options.playing, complains: !options.isJSON) }
    let (arrivals, overruns) = (run.arrivals, run.overruns)
    let (dispatch, tally) = (run.dispatch, run.tally)
    let pulses = arrivals.filter { $0.message == .clock }.map(\.time)
    guard let statistics = GridStatistics(pulses, tempo: options.tempo) else {
      let count = "only \(pulses.count) of \(tally.pulses) pulses came back"
      throw tally.pulses < 3
        ? Failure("\(count): too few to measure; give a longer --duration", .usage)
        : Failure("\(count); is another program holding the sequencer's timer?", .unavailable)
    }
    let start = arrivals.first { $0.message == .start }?.time
    let gap = start.flatMap { start in pulses.first.map { $0 - start } }
    StandardOutput.write(
      options.isJSON
        ? json(statistics, options, tally, dispatch, gap, overruns)
        : plain(statistics, options, tally, dispatch, gap, overruns))
    return .done
  }

  /// What came back, and what was sent.
  private struct Run {
    let arrivals: [LoopbackMeasurement.Arrival]
    let overruns: Int
    let dispatch: DispatchSelection
    let tally: EngineTally
  }

  /// Plays to the end or to a signal, reading what comes back all the while.
  private static func measure(_ settings: PlaySettings, complains: Bool) throws -> Run {
    let signals = try SignalInbox.open()
    var leader = try PlaySession.start(settings)
    if complains {
      for warning in leader.dispatch.warnings { StandardOutput.complain(warning.words) }
    }
    var set = PollSet([signals.descriptor] + leader.descriptors)
    var isFinished = false
    while !isFinished {
      _ = try set.wait()
      isFinished = leader.takeReports().contains { $0.kind == .finished }
      _ = try leader.keepConnections()
      if signals.next() != nil { leader.halt() }
    }
    // The last messages may come a moment after they were sent.
    SystemClock.sleep(until: SystemClock.now + .milliseconds(20))
    _ = try leader.keepConnections()
    let (measurement, dispatch) = (leader.measurement, leader.dispatch)
    return Run(
      arrivals: measurement?.arrivals ?? [], overruns: measurement?.overruns ?? 0,
      dispatch: dispatch, tally: leader.finish())
  }

  private static func plain(
    _ statistics: GridStatistics, _ options: BenchOptions, _ tally: EngineTally,
    _ dispatch: DispatchSelection, _ gap: HostTime.Span?, _ overruns: Int
  ) -> String {
    func us(_ nanoseconds: Double) -> String {
      JSON.decimal(rounding: nanoseconds / 10, places: 2)
    }
    let missing = tally.pulses - Int64(statistics.count)
    var lines = [
      "q=\(options.tempo), dispatch \(dispatch.mode.rawValue): \(dispatch.reason.words)",
      "sent to itself through the sequencer, stamped by the kernel on arrival; microseconds",
      "",
      "pulses               \(statistics.count) of \(tally.pulses)"
        + (missing == 0 ? "" : ", \(missing) missing"),
      "grid deviation       \(us(statistics.gridDeviation))   (standard deviation, fitted grid)",
      "peak to peak         \(us(statistics.peakToPeak))",
      "99 % within          \(us(statistics.error99))",
      "greatest error       \(us(statistics.greatestError))   (asked grid from the first pulse)",
      "interval deviation   \(us(statistics.intervalDeviation))",
      "intervals            \(us(Double(statistics.shortestInterval))) to"
        + " \(us(Double(statistics.longestInterval)))",
      "tempo                \(JSON.rounded(statistics.fittedBPM, places: 6))"
        + "   (\(JSON.rounded(statistics.partsPerMillion, places: 2)) ppm)",
    ]
    if let gap { lines.append("Start to first pulse \(us(Double(gap.nanoseconds)))") }
    if let median = tally.lateness.quantile(0.5), let high = tally.lateness.quantile(0.99) {
      lines.append(
        "own lateness         \(us(Double(median.nanoseconds))) median,"
          + " \(us(Double(high.nanoseconds))) p99,"
          + " \(us(Double(tally.lateness.maximum.nanoseconds))) max")
    }
    if overruns > 0 { lines.append("input overruns       \(overruns): the figures are not whole") }
    return lines.joined(separator: "\n") + "\n"
  }

  static func json(
    _ statistics: GridStatistics, _ options: BenchOptions, _ tally: EngineTally,
    _ dispatch: DispatchSelection, _ gap: HostTime.Span?, _ overruns: Int
  ) -> String {
    func us(_ nanoseconds: Double) -> JSON.Value { .units(nanoseconds, places: 3) }
    return JSON.line(
      .bench,
      [
        ("bpm", .tempo(options.tempo)),
        ("dispatch", .string(dispatch.mode.rawValue)), ("reason", .string(dispatch.reason.words)),
        ("pulses", .integer(statistics.count)), ("sent", .integer(tally.pulses)),
        ("grid_sd_us", us(statistics.gridDeviation)),
        ("peak_to_peak_us", us(statistics.peakToPeak)),
        ("p99_us", us(statistics.error99)), ("greatest_error_us", us(statistics.greatestError)),
        ("interval_sd_us", us(statistics.intervalDeviation)),
        ("interval_min_us", us(Double(statistics.shortestInterval))),
        ("interval_max_us", us(Double(statistics.longestInterval))),
        ("ppm", .rounded(statistics.partsPerMillion, places: 3)),
        ("start_gap_us", gap.map { us(Double($0.nanoseconds)) } ?? .null),
        ("overruns", .integer(overruns)),
      ]) + "\n"
  }
}
