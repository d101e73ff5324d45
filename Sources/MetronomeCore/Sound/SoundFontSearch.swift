internal import Glibc

/// Finds the sound font: from the option, else the environment, else the standard paths.
public enum SoundFontSearch {
  /// The paths at which distributions install sound fonts, best first.
  ///
  /// Debian's `default-GM.sf2` is an alternative that points to one of the installed font packages.
  public static let standardPlaces = [
    "/usr/share/sounds/sf2/default-GM.sf2", "/usr/share/sounds/sf3/default-GM.sf3",
    "/usr/share/soundfonts/default.sf2", "/usr/share/soundfonts/FluidR3_GM.sf2",
    "/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2",
  ]

  /// Returns the font to use.
  ///
  /// - Parameters:
  ///   - option: The font named by the user, if any; it must exist.
  ///   - environment: The value of `MIDIMETRO_SOUNDFONT`, if set; it must exist.
  ///   - isFont: Tests whether a file is a font; `looksLikeFont` by default.
  /// - Returns: The font's path.
  /// - Throws: `SoundError.unusableFont` or `.noFont`.
  public static func font(
    option: String?, environment: String?, isFont: (String) -> Bool = looksLikeFont
  ) throws(SoundError) -> String {
    if let named = option ?? environment {
      guard isFont(named) else { throw .unusableFont(named) }
      return named
    }
    guard let found = standardPlaces.first(where: isFont) else {
      throw .noFont(tried: standardPlaces)
    }
    return found
  }

  /// Whether the file at `path` is readable and has the header of a sound font: `RIFF`, its length,
  /// and `sfbk` or `DLS `.
  ///
  /// `DLS ` is for FluidSynth built with libinstpatch, which prints errors to stderr for any other
  /// file.
  public static func looksLikeFont(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 12)
    guard unsafe read(descriptor, &head, head.count) == head.count else { return false }
    let form = String(decoding: head[8...], as: UTF8.self)
    return String(decoding: head[..<4], as: UTF8.self) == "RIFF" && ["sfbk", "DLS "].contains(form)
  }
}
