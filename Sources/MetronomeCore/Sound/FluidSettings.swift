internal import CFluidSynth
internal import Glibc

/// FluidSynth's settings.
///
/// They must outlive whatever was created with them.
@safe final class FluidSettings {
  let library: FluidSynth
  let pointer: OpaquePointer

  private init(_ library: FluidSynth, adopting pointer: OpaquePointer) {
    self.library = library
    unsafe self.pointer = pointer
  }

  deinit { unsafe library.table.delete_fluid_settings(pointer) }

  /// Creates settings with the library's defaults.
  static func make(_ library: FluidSynth) throws(SoundError) -> FluidSettings {
    guard let pointer = library.table.new_fluid_settings() else {
      throw .failed("new_fluid_settings")
    }
    return unsafe FluidSettings(library, adopting: pointer)
  }

  /// Sets a number.
  ///
  /// A name unknown to this build of the library is ignored.
  func set(_ name: String, _ value: Int) {
    unsafe _ = library.table.fluid_settings_setint(pointer, name, Int32(value))
  }

  /// Sets a decimal number.
  func set(_ name: String, _ value: Double) {
    unsafe _ = library.table.fluid_settings_setnum(pointer, name, value)
  }

  /// Sets a string; returns false if the value is not one of the options.
  @discardableResult
  func set(_ name: String, _ value: String) -> Bool {
    unsafe library.table.fluid_settings_setstr(pointer, name, value) == 0
  }

  /// The current value of a decimal number.
  func number(_ name: String) -> Double? {
    var value = 0.0
    let result = unsafe library.table.fluid_settings_getnum(pointer, name, &value)
    return result == 0 ? value : nil
  }

  /// The possible values of a setting.
  func options(_ name: String) throws(SoundError) -> [String] {
    guard
      let list = unsafe library.table.fluid_settings_option_concat(pointer, name, ",")
    else { throw .failed("fluid_settings_option_concat") }
    defer { unsafe free(list) }
    return unsafe String(cString: list).split(separator: ",").map(String.init)
  }
}
