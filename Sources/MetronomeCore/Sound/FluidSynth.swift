internal import CFluidSynth
internal import Synchronization

/// The FluidSynth library, loaded at run time; every call goes through its table.
///
/// Unchecked: the table is filled before the instance exists and never changed, and the library
/// locks its own objects.
@safe final class FluidSynth: @unchecked Sendable {
  let table: midimetro_fluidsynth

  private init(_ table: midimetro_fluidsynth) { self.table = table }

  /// The library's last error or warning, until it is taken.
  ///
  /// The library's own handler would print it to stderr, in the middle of our output.
  private static let logged = Mutex<String?>(nil)

  /// Loads the library.
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
      // Discard information and debug messages.
      let isKept = level <= Int32(FLUID_WARN.rawValue)
      unsafe _ = table.fluid_set_log_function(level, isKept ? kept : { _, _, _ in }, nil)
    }
    return FluidSynth(table)
  }

  /// Stores an error; stores a warning only if nothing is stored.
  private static func keep(_ message: String, isError: Bool) {
    logged.withLock { if isError || $0 == nil { $0 = message } }
  }

  /// Removes and returns the stored error or warning.
  static func takeComplaint() -> String? {
    logged.withLock { message in
      defer { message = nil }
      return message
    }
  }
}
