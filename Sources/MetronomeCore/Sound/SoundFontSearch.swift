internal import Glibc

/// Where the sound font comes from: the option, else the environment, else the standard places.
public enum SoundFontSearch {
  /// The places distributions keep sound fonts, best first.
  ///
  /// Debian's `default-GM.sf2` is an alternative that follows the font packages installed.
  public static let standardPlaces = [
    "/usr/share/sounds/sf2/default-GM.sf2", "/usr/share/sounds/sf3/default-GM.sf3",
    "/usr/share/soundfonts/default.sf2", "/usr/share/soundfonts/FluidR3_GM.sf2",
    "/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2",
  ]

  /// The font to use.
  ///
  /// - Parameters:
  ///   - option: The font named by the user, which then must exist.
  ///   - environment: The value of `MIDIMETRO_SOUNDFONT`, which then must exist.
  ///   - isReadable: Whether a file can be read; the file system's answer by default.
  /// - Throws: `SoundError.unusableFont` or `.noFont`.
  public static func font(
    option: String?, environment: String?, isReadable: (String) -> Bool = canRead
  ) throws(SoundError) -> String {
    if let named = option ?? environment {
      guard isReadable(named) else { throw .unusableFont(named) }
      return named
    }
    guard let found = standardPlaces.first(where: isReadable) else {
      throw .noFont(tried: standardPlaces)
    }
    return found
  }

  /// Whether this process may read the file at `path`; source: `access`.
  public static func canRead(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
