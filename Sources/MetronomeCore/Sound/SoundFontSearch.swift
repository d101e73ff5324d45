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
  ///   - isFont: Whether a file is a font; `looksLikeFont` by default.
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

  /// Whether the file at `path` can be read and begins as a sound font: `RIFF`, its length, and
  /// `sfbk` or (for FluidSynth built with libinstpatch, which complains of anything else on the
  /// standard error stream) `DLS `.
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
