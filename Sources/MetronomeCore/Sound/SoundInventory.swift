internal import CFluidSynth
internal import Glibc

/// What FluidSynth can do here; for `doctor`.
public struct SoundInventory: Hashable, Sendable {
  /// The library's version.
  public var version: String
  /// The audio drivers it was built with, whether or not they work here.
  public var drivers: [String]

  /// An inventory of its parts.
  public init(version: String, drivers: [String]) {
    self.version = version
    self.drivers = drivers
  }

  /// Opens the library and asks it; makes no sound.
  ///
  /// Source: `fluid_version_str`, `fluid_settings_option_concat` of `audio.driver`.
  public static func read() throws(SoundError) -> SoundInventory {
    let table = try FluidSynth.open().table
    guard let settings = table.new_fluid_settings() else { throw .failed("new_fluid_settings") }
    defer { unsafe table.delete_fluid_settings(settings) }
    guard let list = unsafe table.fluid_settings_option_concat(settings, "audio.driver", ",") else {
      throw .failed("fluid_settings_option_concat")
    }
    defer { unsafe free(list) }
    let version = unsafe table.fluid_version_str().map { unsafe String(cString: $0) }
    return SoundInventory(
      version: version ?? "of unknown version",
      drivers: unsafe String(cString: list).split(separator: ",").map(String.init))
  }
}
