internal import CFluidSynth

/// The capabilities of the installed FluidSynth; for `doctor`.
public struct SoundInventory: Hashable, Sendable {
  /// The library's version.
  public var version: String
  /// The audio drivers it was built with, whether they work here or not.
  public var drivers: [String]

  /// Creates an inventory.
  public init(version: String, drivers: [String]) {
    self.version = version
    self.drivers = drivers
  }

  /// Loads the library and queries it; makes no sound.
  ///
  /// Source: `fluid_version_str`, `fluid_settings_option_concat` of `audio.driver`.
  public static func read() throws(SoundError) -> SoundInventory {
    let library = try FluidSynth.open()
    let version = unsafe library.table.fluid_version_str().map { unsafe String(cString: $0) }
    return SoundInventory(
      version: version ?? "of unknown version",
      drivers: try FluidSettings.make(library).options("audio.driver"))
  }
}
