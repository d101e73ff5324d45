internal import CFluidSynth
internal import Glibc
internal import MIDIClock

/// An audio driver by name, and the device it plays on.
///
/// Written `NAME` or `NAME:DEVICE`, such as `alsa:hw:1`.
public struct AudioDriver: Hashable, Sendable {
  /// FluidSynth's name of the driver.
  public var name: String
  /// What the driver calls the device; `nil` for its own choice.
  public var device: String?

  /// A driver and its device.
  public init(name: String, device: String? = nil) {
    self.name = name
    self.device = device
  }

  /// Reads `NAME` or `NAME:DEVICE`.
  public init(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    device = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
  }

  /// As it is written.
  public var text: String { device.map { "\(name):\($0)" } ?? name }

  /// The drivers tried when none is named, in this order: sound servers before the bare card,
  /// which they hold.
  public static let order = ["pipewire", "pulseaudio", "jack", "alsa"]

  /// The drivers to try, of those `built` into the library.
  ///
  /// JACK only where its server runs, for its library would otherwise try to start one and
  /// complain on the standard error stream.
  static func candidates(built: [String], jackIsRunning: Bool) -> [AudioDriver] {
    order.filter { built.contains($0) && ($0 != "jack" || jackIsRunning) }
      .map { AudioDriver(name: $0) }
  }

  /// Whether a JACK server of anyone's has its shared memory here.
  static var jackIsRunning: Bool {
    guard let folder = unsafe opendir("/dev/shm") else { return false }
    defer { unsafe _ = closedir(folder) }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name.hasPrefix("jack") { return true }
    }
    return false
  }
}

/// An audio driver that runs and calls back a mixer; it ends when it is let go.
///
/// Unchecked: one thread makes and drops it.
@safe final class AudioOutput: @unchecked Sendable {
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
