internal import MIDIClock
internal import MetronomeCore

extension PlayOptions {
  /// Options being gathered.
  struct OptionValues {
    var tempo = Tempo.standard
    var meter = Meter.common
    var score: String?
    var accents: AccentPattern?
    var accentsPlace = ""
    var subdivision: Int64 = 1
    var swing: Int64 = 50_000
    var swingPlace = ""
    var voice = ClickVoice.standard
    var common = Route()
    var destinations: [(address: String, place: String, route: Route)] = []
    /// True when route options belong to the last destination, not to all of them.
    var hasOwnDestination = false
    var policy = ClockPolicy.always
    var bars: Int64?
    var duration: HostTime.Span?
    var countIn: Int64 = 0
    var startBar: Int64 = 1
    var startBarPlace = ""
    var dispatch = DispatchMode.auto
    var form = OutputForm.plain
    /// True when lines were asked for: then no screen is shown.
    var wantsLines = false
    var isDryRun = false
    var sound = SoundOptions()
    var sources: [String] = []
    var repairs = false
    var lostAfter: HostTime.Span?
    var replay: String?
    var log: String?
    var output: String?
    var sampleRate: Int64 = 48_000
    var tapping = Tapping()

    mutating func take(_ option: GivenOption) throws(UsageError) {
      if try tapping.take(option) { return }
      let (value, place) = (option.value, option.place)
      switch option.name {
      case .bpm: tempo = try Values.tempo(value, place)
      case .meter:
        do throws(Meter.TextError) { meter = try Meter(text: value) } catch {
          throw UsageError("\(place): \(error)")
        }
      case .accents:
        guard let pattern = AccentPattern(text: value) else {
          throw UsageError(
            "\(place): '\(value)' is not an accent pattern: write one letter a click,"
              + " X strong, m medium, x weak, . silent, at most \(AccentPattern.capacity)")
        }
        accents = pattern
        accentsPlace = place
      case .score: score = try Values.name(value, place, "file")
      case .subdivide: subdivision = try Values.whole(value, place, ClickPattern.subdivisions)
      case .swing:
        swing = try Values.decimal(value, place, ClickPattern.swings, "percent")
        swingPlace = place
      case .from: sources.append(try Values.name(value, place, "source"))
      case .lostAfter:
        lostAfter = .milliseconds(try Values.decimal(value, place, 10...3_600_000, "seconds"))
      case .repair: repairs = true
      case .replay: replay = try Values.name(value, place, "file")
      case .log: log = try Values.name(value, place, "file")
      case .to: try addDestination(value, place)
      case .send:
        let contents = try Values.contents(value, place)
        edit { $0.contents = contents }
      case .offset:
        let offset = try Values.decimal(value, place, -500_000...500_000, "milliseconds")
        edit { $0.offset = .microseconds(offset) }
      case .divide:
        let divide = try Values.whole(value, place, 1...24)
        edit { $0.divide = divide }
      case .multiply:
        let multiply = try Values.whole(value, place, 1...24)
        edit { $0.multiply = multiply }
      // Said of one destination, it is taken back for that one, and not for all.
      case .mute: edit { $0.isMuted = value != "no" }
      case .channel: voice.channel = UInt8(try Values.whole(value, place, 1...16) - 1)
      case .notes:
        let keys = try Values.three(value, place, 0...127, "keys")
        (voice.strong.key, voice.medium.key, voice.weak.key) = (keys[0], keys[1], keys[2])
      case .velocities:
        let forces = try Values.three(value, place, 1...127, "velocities")
        voice.strong.velocity = forces[0]
        voice.medium.velocity = forces[1]
        voice.weak.velocity = forces[2]
      case .gate:
        voice.gate = .microseconds(
          try Values.decimal(value, place, 1_000...5_000_000, "milliseconds"))
      case .clock:
        policy = try Values.choice(value, place, ClockPolicy.allCases.map { ("\($0)", $0) })
      case .bars: bars = try Values.whole(value, place, 1...1_000_000)
      case .duration: duration = try Values.duration(value, place)
      case .countIn: countIn = try Values.whole(value, place, 0...99)
      case .startBar:
        startBar = try Values.whole(value, place, 1...1_000_000)
        startBarPlace = place
      case .dispatch: dispatch = try DispatchMode(option)
      case .sound, .soundfont, .audioDriver, .audioPeriod, .audioOffset, .volume:
        try sound.take(option)
      case .output: output = try Values.name(value, place, "file")
      case .sampleRate: sampleRate = try Values.whole(value, place, 8_000...192_000)
      case .json: (form, wantsLines) = (.json, true)
      case .plain: (form, wantsLines) = (.plain, true)
      case .quiet: (form, wantsLines) = (.quiet, true)
      case .noUI: wantsLines = true
      case .dryRun: isDryRun = true
      case .tapFrom, .tapNote, .tapChannel, .tapCC, .tapVelocity, .tapUnit, .tapRound, .tapMin,
        .tapPhase, .startOnTap, .control, .controlFrom:
        break
      case .learn, .profile, .list, .help, .version, .man, .completion: break
      }
    }

    /// Refuses a first bar that is not there or that Song Position cannot name.
    func checkStart(in score: Score) throws(UsageError) {
      let start = score.start(ofBar: startBar)
      if let end = score.end, !(start < end) {
        let bars = score.passages[score.passages.count - 1].span.position(of: end).bar - 1
        throw UsageError("\(startBarPlace): the score has \(Words.count(bars, "bar"))")
      }
      guard startBar > 1, SongPosition(exactly: start) == nil else { return }
      var reachable = startBar
      while SongPosition(exactly: score.start(ofBar: reachable)) == nil { reachable -= 1 }
      let meter = score.passages[score.index(at: start)].span.pattern.meter
      guard start.count <= Int64(SongPosition.maximum) * Resolution.ticksPerMIDIBeat else {
        throw UsageError(
          "\(startBarPlace): bar \(startBar) is beyond what Song Position can name; in \(meter) the"
            + " last is \(reachable)")
      }
      throw UsageError(
        "\(startBarPlace): in \(meter) bar \(startBar) does not begin on a sixteenth, which is all"
          + " that Song Position can name; the last before it that does is \(reachable)")
    }

    mutating func addDestination(_ text: String, _ place: String) throws(UsageError) {
      guard text.contains(where: { $0 != " " }) else {
        throw UsageError("\(place): an empty address; midimetro ports lists what there is")
      }
      guard destinations.count < PlaySettings.maximumDestinations else {
        throw UsageError(
          "\(place): more than \(PlaySettings.maximumDestinations) destinations; join some with"
            + " aconnect to the ports of midimetro")
      }
      destinations.append((text, place, common))
      hasOwnDestination = true
    }

    /// Those of `ALSA_OUTPUT_PORTS`, when none has been named.
    mutating func addUsualDestinations(_ list: String?) throws(UsageError) {
      guard destinations.isEmpty, let list else { return }
      for text in list.split(separator: ",") {
        try addDestination(String(text.drop { $0 == " " }), "ALSA_OUTPUT_PORTS")
      }
    }

    /// Refuses an address that is given twice and would get the same from both.
    ///
    /// Two that are spelled differently are found to be one port when they are looked up.
    func refuseRepeatedDestinations() throws(UsageError) {
      for (later, destination) in destinations.enumerated() {
        let isRepeated = destinations[..<later].contains {
          $0.address == destination.address
            && !$0.route.contents.isDisjoint(with: destination.route.contents)
        }
        guard isRepeated else { continue }
        throw UsageError(
          "\(destination.place): '\(destination.address)' is given twice and would get everything"
            + " twice; give it once, or say with --send what each is for")
      }
    }

    var routedDestinations: [Destination] {
      destinations.map { address, _, route in
        Destination(address: address, route: voiced(route))
      }
    }

    /// Changes the route of the last destination, or of all when none has been named yet.
    private mutating func edit(_ change: (inout Route) -> Void) {
      guard hasOwnDestination else {
        change(&common)
        for index in destinations.indices { change(&destinations[index].route) }
        return
      }
      change(&destinations[destinations.count - 1].route)
    }

    /// The click notes are the same for all routes.
    func voiced(_ route: Route) -> Route {
      var route = route
      route.voice = voice
      return route
    }

    func pattern() throws(UsageError) -> ClickPattern {
      do throws(ClickPattern.Mismatch) {
        return try ClickPattern(
          meter: meter, accents: accents, subdivision: subdivision, swing: swing)
      } catch {
        switch error {
        case .swingNeedsPairs(let count):
          throw UsageError(
            "\(swingPlace): swing moves the second click of each pair, and"
              + " \(Words.count(count, "click")) a beat make\(count == 1 ? "s" : "") no pairs;"
              + " give --subdivide 2 or another even number")
        case .accents(let count, let beats, let clicks):
          throw UsageError(
            "\(accentsPlace): \(Words.count(count, "accent")) for a bar of \(meter);"
              + " give \(beats), one per beat"
              + (clicks == beats ? "" : ", or \(clicks), one per click"))
        case .subdivision, .swing: throw UsageError("\(error)")
        }
      }
    }
  }
}
