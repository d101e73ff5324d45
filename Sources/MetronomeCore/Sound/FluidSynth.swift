internal import CFluidSynth

/// The FluidSynth library, opened once at run time; every call goes through its table.
///
/// Sendable by this proof: the table is filled before the instance exists and never changed after,
/// and the library locks its own objects.
@safe final class FluidSynth: @unchecked Sendable {
  let table: midimetro_fluidsynth

  private init(_ table: midimetro_fluidsynth) { self.table = table }

  /// Opens the library.
  static func open() throws(SoundError) -> FluidSynth {
    var table = midimetro_fluidsynth()
    if let reason = unsafe midimetro_fluidsynth_open(&table) {
      throw .library(unsafe String(cString: reason))
    }
    unsafe midimetro_fluidsynth_silence(&table)
    return FluidSynth(table)
  }
}
