/// The characters that word processors and web pages put in place of those that are typed.
enum Typography {
  /// True for a character that looks like a space.
  static func isBlank(_ character: Character) -> Bool {
    character.isWhitespace
      || character.unicodeScalars.allSatisfy {
        $0 == "\u{200B}" || $0 == "\u{2060}" || $0 == "\u{FEFF}"
      }
  }

  /// True for a colon of whatever width.
  static func isColon(_ character: Character) -> Bool {
    character == ":" || character == "\u{FF1A}" || character == "\u{2236}"
  }

  /// The words of `text` in plain characters.
  static func words(_ text: Substring) -> [Substring] {
    // A greater-than sign is only used in a typed arrow.
    if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x3E }), !text.contains("--") {
      return text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { Substring($0) }
    }
    return text.split(whereSeparator: isBlank).map { Substring(plain($0)) }
  }

  private static func plain(_ word: Substring) -> String {
    var plain = ""
    for scalar in word.unicodeScalars {
      switch scalar.value {
      // Hyphens, dashes, minus signs and arrows to the right.
      case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D, 0x2192, 0x27F6, 0x21D2, 0x279C:
        plain += "-"
      // Fraction and division slashes.
      case 0x2044, 0x2215: plain += "/"
      case 0x2236: plain += ":"
      // A quarter, an eighth.
      case 0x2669, 0x1D15F: plain += "q"
      case 0x266A, 0x1D160: plain += "1/8"
      // Zero width, and the variation selectors of symbols.
      case 0x200B, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F: break
      // Full width.
      case 0xFF01...0xFF5E:
        if let narrow = Unicode.Scalar(scalar.value - 0xFEE0) {
          plain.unicodeScalars.append(narrow)
        }
      default: plain.unicodeScalars.append(scalar)
      }
    }
    // Typed arrows.
    return plain.replacing("->", with: "-").replacing("--", with: "-")
  }
}
