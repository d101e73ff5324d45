internal import CFluidSynth
internal import Glibc
internal import MIDIClock

/// A synth with a user's sound font that renders single notes; it has no driver.
@safe final class Synth {
  private let library: FluidSynth
  // Freed after the synth: stored properties are released after the `deinit` body.
  private let settings: FluidSettings
  private let synth: OpaquePointer
  private let path: String
  private let rate: Int

  private init(_ settings: FluidSettings, adopting synth: OpaquePointer, path: String, rate: Int) {
    library = settings.library
    self.settings = settings
    unsafe self.synth = synth
    self.path = path
    self.rate = rate
  }

  deinit { unsafe library.table.delete_fluid_synth(synth) }

  /// Creates a synth with the font at `path`, for `rate` frames per second.
  ///
  /// Full velocity is FluidSynth's gain 1, five times its default, which is low enough for whole
  /// orchestras.
  static func open(_ library: FluidSynth, font path: String, rate: Int) throws(SoundError) -> Synth
  {
    let settings = try FluidSettings.make(library)
    settings.set("synth.gain", 1.0)
    settings.set("synth.sample-rate", Double(rate))
    settings.set("synth.reverb.active", 0)
    settings.set("synth.chorus.active", 0)
    settings.set("synth.polyphony", 32)
    let table = library.table
    guard let pointer = unsafe table.new_fluid_synth(settings.pointer) else {
      throw .failed("new_fluid_synth")
    }
    let synth = unsafe Synth(settings, adopting: pointer, path: path, rate: rate)
    guard unsafe table.fluid_synth_sfload(pointer, path, 1) >= 0 else { throw .unusableFont(path) }
    return synth
  }

  /// Renders a click's note, from its onset.
  ///
  /// - Parameters:
  ///   - note: Key and velocity.
  ///   - channel: 0 to 15.
  ///   - gate: How long the key is held.
  /// - Returns: Both channels, without the silence before the onset, and at most one second.
  /// - Throws: `SoundError.noDrums` if the channel has no preset, `.silentKey` if the key is
  ///   silent.
  func render(
    _ note: ClickVoice.Note, channel: UInt8, gate: HostTime.Span
  ) throws(SoundError) -> StereoFrames {
    let table = library.table
    guard unsafe table.fluid_synth_get_channel_preset(synth, Int32(channel)) != nil else {
      throw .noDrums(path)
    }
    unsafe _ = table.fluid_synth_all_sounds_off(synth, Int32(channel))
    _ = render(frames: 1_024)
    unsafe _ = table.fluid_synth_noteon(
      synth, Int32(channel), Int32(note.key), Int32(note.velocity))
    let isVoiced = unsafe table.fluid_synth_get_active_voice_count(synth) > 0
    let held = min(rate, Int(gate.nanoseconds * Int64(rate) / 1_000_000_000))
    var sound = render(frames: held)
    unsafe _ = table.fluid_synth_noteoff(synth, Int32(channel), Int32(note.key))
    while sound.count < rate, unsafe table.fluid_synth_get_active_voice_count(synth) > 0 {
      sound.append(render(frames: min(1_024, rate - sound.count)))
    }
    guard isVoiced, sound.peak > 1e-4 else { throw .silentKey(path, key: note.key) }
    return sound.fromOnset(within: rate / 20)
  }

  /// Renders `frames` stereo frames.
  private func render(frames: Int) -> StereoFrames {
    var sound = StereoFrames(
      left: [Float](repeating: 0, count: frames), right: [Float](repeating: 0, count: frames))
    unsafe _ = library.table.fluid_synth_write_float(
      synth, Int32(frames), &sound.left, 0, 1, &sound.right, 0, 1)
    return sound
  }
}
