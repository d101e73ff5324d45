internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

/// `midimetro doctor`: looks at the machine and says what it can do.
enum Doctor {
  /// Prints what was found.
  static func run(_ options: DoctorOptions) throws(Failure) -> ExitStatus {
    let diagnosis = examine(options)
    try StandardOutput.print(options.isJSON ? diagnosis.json : diagnosis.text)
    return diagnosis.status
  }

  static func examine(_ options: DoctorOptions) -> Diagnosis { Diagnosis(facts(options)) }

  /// Tries everything that playing needs, in about a second; leaves nothing changed.
  private static func facts(_ options: DoctorOptions) -> MachineFacts {
    let limits = Limits.read()
    let lockRefusal = MemoryLock.lockAll()
    if lockRefusal == nil { MemoryLock.unlockAll() }
    var facts = MachineFacts(
      device: TextFile.refusal("/dev/snd/seq"),
      realtimeLimit: limits.realtimePriority, memoryLimit: limits.lockedMemory,
      scheduling: limits.scheduling, lockRefusal: lockRefusal, wakeUps: try? WakeUps.measure(),
      timerSlack: Machine.timerSlack, machine: .read(),
      sound: sound(),
      soundFont: soundFont(options), terminal: .ofStandardOutput)
    guard facts.device == nil else { return facts }
    do throws(ALSAError) {
      let sequencer = try Sequencer.open(clientName: "midimetro-doctor")
      let ports = try sequencer.ports()
        .filter { $0.address.client != 0 && $0.address.client != sequencer.clientNumber }
      facts.client = .opened(
        number: sequencer.clientNumber, destinations: ports.count { $0.suits(.destination) },
        sources: ports.count { $0.suits(.source) })
      facts.queue = queue(of: sequencer)
    } catch { facts.client = .refused(error) }
    // Not before: until a sequencer has been opened alsa-lib complains on the standard error stream.
    if case .success = facts.sound { facts.audio = audio() }
    return facts
  }

  /// Opens an audio driver without a sound, and closes it again; a server that does not answer is
  /// given three seconds.
  private static func audio() -> Result<SoundOpened, SoundError> {
    var settings = SoundSettings()
    settings.volume = 0
    let player: ClickPlayer
    do throws(SystemError) { player = try ClickPlayer.start(settings) } catch {
      return .failure(.failed(error.description))
    }
    defer { _ = player.stop(by: SystemClock.now + .seconds(1)) }
    var set = PollSet([player.descriptor])
    let deadline = SystemClock.now + .seconds(3)
    while SystemClock.now < deadline {
      _ = try? set.wait(until: deadline)
      for news in player.takeNews() {
        switch news {
        case .ready(let opened): return .success(opened)
        case .failed(let error): return .failure(error)
        case .lost, .interrupted: break
        }
      }
    }
    return .failure(.noAnswer(nil))
  }

  /// Runs a queue for a while and sees how far its time comes.
  private static func queue(of sequencer: Sequencer) -> MachineFacts.Queue {
    do throws(ALSAError) {
      var queue = try SequencerQueue.open(on: sequencer, name: "midimetro-doctor")
      let began = SystemClock.now
      let zero = queue.calibration.origin
      SystemClock.sleep(until: began + .milliseconds(200))
      try queue.calibrate()
      let during = SystemClock.now - began
      // A queue that stands still has its zero, seen from the clock, move on with the clock.
      let lost = queue.calibration.origin - zero
      return .ran(
        timer: queue.timer, advanced: during + HostTime.Span(nanoseconds: -lost.nanoseconds),
        during: during)
    } catch { return .refused(error) }
  }

  private static func soundFont(_ options: DoctorOptions) -> MachineFacts.SoundFont {
    // Clicks need no font: one that is named must be good, all the same.
    guard options.sound.soundfont != nil || options.usualSoundfont != nil else {
      return .builtIn(
        sets: ClickSet.allCases.map(\.rawValue),
        found: SoundFontSearch.standardPlaces.first(where: SoundFontSearch.looksLikeFont))
    }
    do throws(SoundError) {
      let path = try SoundFontSearch.font(
        option: options.sound.soundfont, environment: options.usualSoundfont)
      let place =
        options.sound.soundfont != nil ? "--soundfont" : "$MIDIMETRO_SOUNDFONT"
      return .found(path, place: place)
    } catch { return .refused(error) }
  }

  private static func sound() -> Result<SoundInventory, SoundError> {
    do throws(SoundError) { return .success(try .read()) } catch { return .failure(error) }
  }
}
