internal import CFluidSynth
internal import Glibc
internal import MIDIClock

/// A synth with its settings, font and audio driver, freed in the order they need.
///
/// One thread at a time uses it; the audio driver's own thread renders.
@safe final class Synth: @unchecked Sendable {
  // Unchecked: FluidSynth's calls lock the synth themselves (synth.threadsafe-api, on by default).
  private let library: FluidSynth
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private var driver: OpaquePointer?

  private init(library: FluidSynth, settings: OpaquePointer, synth: OpaquePointer) {
    self.library = library
    unsafe self.settings = settings
    unsafe self.synth = synth
  }

  deinit {
    let table = library.table
    if let driver = unsafe driver { unsafe table.delete_fluid_audio_driver(driver) }
    unsafe table.delete_fluid_synth(synth)
    unsafe table.delete_fluid_settings(settings)
  }

  /// Makes a synth with the font at `path`, still without a driver.
  ///
  /// `gain` is FluidSynth's, 0 to 10; small periods keep the clicks near their time.
  static func open(_ library: FluidSynth, font path: String, gain: Double) throws(SoundError)
    -> Synth
  {
    let table = library.table
    guard let settings = table.new_fluid_settings() else {
      throw .failed("new_fluid_settings")
    }
    unsafe _ = table.fluid_settings_setnum(settings, "synth.gain", gain)
    unsafe _ = table.fluid_settings_setint(settings, "synth.reverb.active", 0)
    unsafe _ = table.fluid_settings_setint(settings, "synth.chorus.active", 0)
    unsafe _ = table.fluid_settings_setint(settings, "audio.period-size", 64)
    unsafe _ = table.fluid_settings_setint(settings, "audio.periods", 3)
    guard let pointer = unsafe table.new_fluid_synth(settings) else {
      unsafe table.delete_fluid_settings(settings)
      throw .failed("new_fluid_synth")
    }
    let synth = unsafe Synth(library: library, settings: settings, synth: pointer)
    guard unsafe table.fluid_synth_sfload(pointer, path, 1) >= 0 else {
      throw .unusableFont(path)
    }
    // Channel 10 without a preset is a font without a drum kit.
    guard unsafe table.fluid_synth_get_channel_preset(pointer, 9) != nil else {
      throw .noDrums(path)
    }
    return synth
  }

  /// The drivers tried when none is named, in this order: sound servers before the bare card,
  /// which they hold.
  static let driverOrder = ["pipewire", "pulseaudio", "jack", "alsa"]

  /// The drivers to try: JACK only where its server runs, for its library would otherwise try to
  /// start one and complain on the standard error stream.
  static func driversToTry(jackIsRunning: Bool) -> [String] {
    driverOrder.filter { $0 != "jack" || jackIsRunning }
  }

  /// Whether a JACK server of anyone's has its shared memory here.
  private static var jackIsRunning: Bool {
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

  /// Starts the audio driver: the one named, or the first that works; returns its name.
  func startDriver(_ name: String?) throws(SoundError) -> String {
    let table = library.table
    for candidate in name.map({ [$0] }) ?? Self.driversToTry(jackIsRunning: Self.jackIsRunning) {
      guard unsafe table.fluid_settings_setstr(settings, "audio.driver", candidate) == 0 else {
        continue
      }
      unsafe driver = table.new_fluid_audio_driver(settings, synth)
      if unsafe driver != nil { return candidate }
    }
    throw .noDriver(name)
  }

  /// Plays a note-on or note-off now; anything else is not for a synth.
  func play(_ note: MIDIMessage) {
    switch note {
    case .noteOn(let channel, let key, let velocity):
      unsafe _ = library.table.fluid_synth_noteon(
        synth, Int32(channel), Int32(key), Int32(velocity))
    case .noteOff(let channel, let key, _):
      unsafe _ = library.table.fluid_synth_noteoff(synth, Int32(channel), Int32(key))
    case .clock, .start, .continue, .stop, .songPosition, .control: break
    }
  }

  /// Renders `frames` frames of both sides without a driver; for tests.
  func render(frames: Int) -> (left: [Float], right: [Float]) {
    var left = [Float](repeating: 0, count: frames)
    var right = left
    unsafe _ = library.table.fluid_synth_write_float(
      synth, Int32(frames), &left, 0, 1, &right, 0, 1)
    return (left, right)
  }
}
