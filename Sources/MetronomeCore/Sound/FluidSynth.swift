internal import CFluidSynth
internal import Synchronization

/// The FluidSynth library, opened once at run time; every call goes through its table.
///
/// Sendable by this proof: the table is filled before the instance exists and never changed after,
/// and the library locks its own objects.
@safe final class FluidSynth: @unchecked Sendable {
  let table: midimetro_fluidsynth

  private init(_ table: midimetro_fluidsynth) { self.table = table }

  /// The last error or warning that the library logged, until it is taken.
  ///
  /// The library's own handler would print it to the standard error stream, in the middle of ours.
  private static let logged = Mutex<String?>(nil)

  /// Opens the library.
  static func open() throws(SoundError) -> FluidSynth {
    var table = midimetro_fluidsynth()
    if let reason = unsafe midimetro_fluidsynth_open(&table) {
      throw .library(unsafe String(cString: reason))
    }
    let kept: @convention(c) (Int32, UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void = {
      level, message, _ in
      guard let message = unsafe message else { return }
      FluidSynth.keep(unsafe String(cString: message), isError: level <= Int32(FLUID_ERR.rawValue))
    }
    for level in 0..<Int32(LAST_LOG_LEVEL.rawValue) {
      // What is only information or for debugging is not kept.
      let isKept = level <= Int32(FLUID_WARN.rawValue)
      unsafe _ = table.fluid_set_log_function(level, isKept ? kept : { _, _, _ in }, nil)
    }
    return FluidSynth(table)
  }

  /// Keeps an error; a warning only when nothing is kept.
  private static func keep(_ message: String, isError: Bool) {
    logged.withLock { if isError || $0 == nil { $0 = message } }
  }

  /// What the library had to complain of since this was last asked.
  static func takeComplaint() -> String? {
    logged.withLock { message in
      defer { message = nil }
      return message
    }
  }
}
