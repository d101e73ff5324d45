internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// Whether and how `play` and `follow` are heard.
enum SoundStartup {
  /// How long the clock waits for a sound that is only the default, so that its first click is
  /// heard: the first pulse leaves within 250 ms in any case.
  private static let patience = HostTime.Span.milliseconds(60)

  /// A sound that has been started, and what it has said already.
  struct Started {
    let player: ClickPlayer
    var news: [SoundNews] = []
  }

  /// Starts the sound that the options ask for; `nil` when there is to be none.
  ///
  /// Sound that was asked for by name, font or driver must work before anything is sent; sound
  /// that is merely the default may fail with a warning, and the clock goes on.
  static func start(
    _ sound: SoundOptions, hasDestinations: Bool, clientName: String
  ) throws(Failure) -> Started? {
    guard sound.isWanted, sound.isRequired || !hasDestinations else { return nil }
    // A sequencer that is missing is said in one line, before a sound library says anything of its
    // own; opening it also keeps alsa-lib silent.
    do throws(ALSAError) { _ = try Sequencer.open(clientName: clientName) } catch {
      throw Failure(error)
    }
    do throws(SoundError) {
      let settings = try sound.resolved(environment: Environment.read("MIDIMETRO_SOUNDFONT"))
      let player: ClickPlayer
      do throws(SystemError) { player = try ClickPlayer.start(settings) } catch {
        throw .failed(error.description)
      }
      guard sound.isRequired else {
        var set = PollSet([player.descriptor])
        _ = try? set.wait(until: SystemClock.now + patience)
        return Started(player: player)
      }
      return Started(player: player, news: try wait(for: player, driver: settings.driver))
    } catch {
      guard sound.isRequired else {
        StandardOutput.complain("no sound: \(error)")
        return nil
      }
      throw Failure("\(error)", ExitStatus(error))
    }
  }

  /// Ends the sound; false when its driver hangs.
  static func stop(_ player: ClickPlayer?) -> Bool {
    player?.stop(by: SystemClock.now + .milliseconds(500)) ?? true
  }

  /// Ends the process as it is, for a driver that hangs would keep the clean-up of its library.
  ///
  /// All output has been written by then.
  static func leave(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

  /// Waits until the sound is open; a sound server that does not answer is given five seconds.
  private static func wait(
    for player: ClickPlayer, driver: AudioDriver?
  ) throws(SoundError) -> [SoundNews] {
    var set = PollSet([player.descriptor])
    let deadline = SystemClock.now + .seconds(5)
    while SystemClock.now < deadline {
      _ = try? set.wait(until: deadline)
      let news = player.takeNews()
      for said in news { if case .failed(let error) = said { throw error } }
      if !news.isEmpty { return news }
    }
    throw .noAnswer(driver?.text)
  }
}
