internal import CFluidSynth
internal import Glibc
internal import MIDIClock

/// A running audio driver that calls a mixer back; it stops when released.
@safe final class AudioOutput {
  private let settings: FluidSettings
  private let pointer: OpaquePointer
  // The driver's thread uses the mixer until `deinit` has deleted the driver.
  private let mixer: ClickMixer
  /// The driver's sample rate in frames per second.
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

  /// Opens `driver` with `mixer` as its callback.
  ///
  /// - Parameters:
  ///   - settings: FluidSynth's settings, retained by the driver.
  ///   - driver: The driver and device.
  ///   - plan: The buffer to request.
  ///   - rate: The sample rate to request; the driver may use another.
  ///   - mixer: The mixer to call back.
  /// - Returns: The running driver.
  /// - Throws: `SoundError.noDriver` if it cannot be opened.
  static func open(
    _ settings: FluidSettings, _ driver: AudioDriver, plan: AudioPlan, rate: Int,
    mixer: ClickMixer
  ) throws(SoundError) -> AudioOutput {
    settings.set("synth.sample-rate", Double(rate))
    settings.set("audio.period-size", plan.period)
    settings.set("audio.periods", plan.count)
    // Below the clock, above everything unrelated to music.
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
    // JACK has its own rate, which it reports here.
    let actual = settings.number("synth.sample-rate").map { Int($0) } ?? rate
    return unsafe AudioOutput(settings, adopting: pointer, mixer, rate: actual)
  }

  /// The callback for each block; source: `fluid_audio_func_t`.
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
