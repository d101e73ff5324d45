internal import CFluidSynth
internal import Glibc
internal import MIDIClock

/// An audio driver that runs and calls back a mixer; it ends when it is let go.
@safe final class AudioOutput {
  private let settings: FluidSettings
  private let pointer: OpaquePointer
  // The driver's thread uses it until the driver has been deleted, in `deinit`.
  private let mixer: ClickMixer
  /// Frames per second as the driver has them.
  let rate: Int

  private init(
    _ settings: FluidSettings, adopting pointer: OpaquePointer, _ mixer: ClickMixer, rate: Int
  ) {
    self.settings = settings
    unsafe self.pointer = pointer
    self.mixer = mixer
    self.rate = rate
  }

  deinit { unsafe settings.library.table.delete_fluid_audio_driver(pointer) }

  /// Opens `driver` and lets it call back `mixer`.
  ///
  /// - Parameters:
  ///   - settings: FluidSynth's, which the driver keeps.
  ///   - driver: Which, and on which device.
  ///   - plan: The buffer it is asked for.
  ///   - rate: The frames per second it is asked for; it may have others.
  ///   - mixer: What it calls.
  /// - Returns: The driver, which runs.
  /// - Throws: `SoundError.noDriver` when it cannot be opened.
  static func open(
    _ settings: FluidSettings, _ driver: AudioDriver, plan: AudioPlan, rate: Int,
    mixer: ClickMixer
  ) throws(SoundError) -> AudioOutput {
    settings.set("synth.sample-rate", Double(rate))
    settings.set("audio.period-size", plan.period)
    settings.set("audio.periods", plan.count)
    // Below the clock, above everything that is not music.
    settings.set("audio.realtime-prio", Int(Scheduling.defaultPriority) - 10)
    settings.set("audio.jack.id", "midimetro")
    settings.set("audio.jack.autoconnect", 1)
    _ = FluidSynth.takeComplaint()
    guard settings.set("audio.driver", driver.name) else { throw .noDriver(driver.text, said: nil) }
    if let device = driver.device {
      let name = driver.name == "jack" ? "audio.jack.server" : "audio.\(driver.name).device"
      settings.set(name, device)
    }
    let opaque = unsafe Unmanaged.passUnretained(mixer).toOpaque()
    guard
      let pointer = unsafe settings.library.table.new_fluid_audio_driver2(
        settings.pointer, Self.callBack, opaque)
    else { throw .noDriver(driver.text, said: FluidSynth.takeComplaint()) }
    // JACK has its own rate and says so here.
    let actual = settings.number("synth.sample-rate").map { Int($0) } ?? rate
    return unsafe AudioOutput(settings, adopting: pointer, mixer, rate: actual)
  }

  /// What the driver's thread calls for each block; source: `fluid_audio_func_t`.
  private static let callBack:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, Int32, UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?,
      Int32, UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    ) -> Int32 = { data, length, _, _, count, out in
      guard let data = unsafe data, let out = unsafe out, count >= 2, length > 0,
        let left = unsafe out[0], let right = unsafe out[1]
      else { return -1 }
      unsafe Unmanaged<ClickMixer>.fromOpaque(data)._withUnsafeGuaranteedRef { mixer in
        unsafe mixer.render(left, right, frames: Int(length), at: SystemClock.now)
      }
      return 0
    }
}
