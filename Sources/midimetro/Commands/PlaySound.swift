internal import MIDIClock
internal import MetronomeCore

/// Whether and how `play` is heard.
enum PlaySound {
  /// Starts the sound that the options ask for; `nil` when there is to be none.
  ///
  /// Sound that was asked for by a font or a driver must work before anything is sent; sound that
  /// is merely the default may fail with a warning, and the clock goes on.
  static func start(_ options: PlayOptions) throws(Failure) -> ClickPlayer? {
    let sound = options.sound
    guard sound.isWanted, sound.isRequired || options.settings.destinations.isEmpty else {
      return nil
    }
    // A sequencer that is missing is said in one line, before a sound library says anything of its
    // own; opening it also keeps alsa-lib silent.
    do throws(ALSAError) { _ = try Sequencer.open(clientName: options.settings.clientName) } catch {
      throw Failure(error)
    }
    do throws(SoundError) {
      let font = try SoundFontSearch.font(
        option: sound.soundfont, environment: Environment.read("MIDIMETRO_SOUNDFONT"))
      let player: ClickPlayer
      do throws(SystemError) {
        player = try ClickPlayer.start(font: font, driver: sound.driver, volume: sound.volume)
      } catch { throw .failed(error.description) }
      if sound.isRequired { try wait(for: player, driver: sound.driver) }
      return player
    } catch {
      guard sound.isRequired else {
        Standard.complain("no sound: \(error)")
        return nil
      }
      throw Failure("\(error)", error.status)
    }
  }

  /// Waits until the synth is open; a sound server that does not answer is given five seconds.
  private static func wait(for player: ClickPlayer, driver: String?) throws(SoundError) {
    var set = PollSet([player.descriptor])
    let deadline = SystemClock.now + .seconds(5)
    while SystemClock.now < deadline {
      _ = try? set.wait(until: deadline)
      switch player.takeOutcome() {
      case .success?: return
      case .failure(let error)?: throw error
      case nil: continue
      }
    }
    throw .noAnswer(driver)
  }
}

extension SoundError {
  fileprivate var status: ExitStatus {
    switch self {
    case .noFont, .unusableFont, .noDrums: .noInput
    case .library, .noDriver, .noAnswer, .failed: .unavailable
    }
  }
}
