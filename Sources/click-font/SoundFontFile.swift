import ClickSound
import MIDIClock

/// The click sets as a SoundFont 2 file, for any program that loads them.
///
/// Each set is a drum kit in bank 128: program 0 is the first of `ClickSet`, 1 the second, and so
/// on. Source: SoundFont Technical Specification 2.04 (2006), sections 4 to 8, to which the section
/// numbers below refer.
enum SoundFontFile {
  /// The complete file.
  static func bytes() -> [UInt8] {
    let content = Content()
    let info = list(
      "INFO",
      [
        chunk("ifil", words([2, 4])), chunk("isng", text("EMU8000")),
        chunk("INAM", text("midimetro clicks")),
        chunk("ICOP", text("GPL-3.0-or-later")),
        chunk("ICMT", text("Metronome clicks, synthesised by midimetro.")),
        chunk("ISFT", text("midimetro")),
      ])
    let samples = list("sdta", [chunk("smpl", content.samples)])
    let hydra = list(
      "pdta",
      [
        chunk("phdr", content.presets()), chunk("pbag", content.presetZones()),
        chunk("pmod", noModulators), chunk("pgen", content.presetGenerators()),
        chunk("inst", content.instruments()), chunk("ibag", content.instrumentZones()),
        chunk("imod", noModulators), chunk("igen", content.instrumentGenerators()),
        chunk("shdr", content.headers),
      ])
    return chunk("RIFF", Array("sfbk".utf8) + info + samples + hydra)
  }

  // MARK: - Contents

  /// The numbers of the generators used (section 8.1.2).
  private enum Generator {
    static let releaseVolumeEnvelope: UInt16 = 38
    static let instrument: UInt16 = 41
    static let keyRange: UInt16 = 43
    static let velocityRange: UInt16 = 44
    static let scaleTuning: UInt16 = 56
    static let sampleModes: UInt16 = 54
    static let sample: UInt16 = 53
  }

  private struct Zone {
    let keys: ClosedRange<UInt8>
    let velocities: ClosedRange<UInt8>
    let accent: Accent
  }

  /// The zones of an instrument.
  ///
  /// Together they cover every key and velocity exactly once, like `ClickSet.accent`.
  private static let zones: [Zone] = {
    var zones: [Zone] = []
    for key in ClickSet.strongKeys {
      zones.append(Zone(keys: key...key, velocities: 0...127, accent: .strong))
    }
    let medium = ClickSet.mediumVelocity
    let strong = ClickSet.strongVelocity
    for key in ClickSet.clickKeys {
      zones.append(Zone(keys: key...key, velocities: 0...(medium - 1), accent: .weak))
      zones.append(Zone(keys: key...key, velocities: medium...127, accent: .medium))
    }
    for keys: ClosedRange<UInt8> in [0...32, 35...75, 78...127] {
      zones.append(Zone(keys: keys, velocities: 0...(medium - 1), accent: .weak))
      zones.append(Zone(keys: keys, velocities: medium...(strong - 1), accent: .medium))
      zones.append(Zone(keys: keys, velocities: strong...127, accent: .strong))
    }
    return zones
  }()

  private static let accents: [Accent] = [.strong, .medium, .weak]
  /// The number of generators in each zone of an instrument.
  private static let perZone = 6

  private struct Content {
    private(set) var samples: [UInt8] = []
    private(set) var headers: [UInt8] = []

    init() {
      var start = 0
      for set in ClickSet.allCases {
        for accent in SoundFontFile.accents {
          let frames = set.frames(accent, rate: ClickSet.fontRate)
          for frame in frames {
            samples += SoundFontFile.word(UInt16(bitPattern: Int16(frame * 32_767)))
          }
          // At least 46 zero frames follow each sample (6.1).
          samples += [UInt8](repeating: 0, count: 2 * 46)
          let end = start + frames.count
          headers +=
            SoundFontFile.name("\(set) \(accent)") + SoundFontFile.double(start)
            + SoundFontFile.double(end) + SoundFontFile.double(start) + SoundFontFile.double(end)
            + SoundFontFile.double(ClickSet.fontRate) + [60, 0] + SoundFontFile.word(0)
            + SoundFontFile.word(1)
          start = end + 46
        }
      }
      headers += SoundFontFile.name("EOS") + [UInt8](repeating: 0, count: 26)
    }

    private var sets: [(number: Int, set: ClickSet)] {
      ClickSet.allCases.enumerated().map { ($0.offset, $0.element) }
    }

    func presets() -> [UInt8] {
      var bytes: [UInt8] = []
      for (number, set) in sets {
        bytes +=
          SoundFontFile.name("Clicks: \(set)") + SoundFontFile.words([number, 128, number])
          + [UInt8](repeating: 0, count: 12)
      }
      return bytes + SoundFontFile.name("EOP") + SoundFontFile.words([0, 0, sets.count])
        + [UInt8](repeating: 0, count: 12)
    }

    func presetZones() -> [UInt8] {
      (0...sets.count).flatMap { SoundFontFile.words([$0, 0]) }
    }

    func presetGenerators() -> [UInt8] {
      sets.flatMap {
        SoundFontFile.word(Generator.instrument) + SoundFontFile.word(UInt16($0.number))
      } + [0, 0, 0, 0]
    }

    func instruments() -> [UInt8] {
      var bytes: [UInt8] = []
      for (number, set) in sets {
        bytes +=
          SoundFontFile.name("\(set)")
          + SoundFontFile.word(UInt16(number * SoundFontFile.zones.count))
      }
      return bytes + SoundFontFile.name("EOI")
        + SoundFontFile.word(UInt16(sets.count * SoundFontFile.zones.count))
    }

    func instrumentZones() -> [UInt8] {
      (0...(sets.count * SoundFontFile.zones.count)).flatMap {
        SoundFontFile.words([$0 * SoundFontFile.perZone, 0])
      }
    }

    func instrumentGenerators() -> [UInt8] {
      var bytes: [UInt8] = []
      for (number, _) in sets {
        for zone in SoundFontFile.zones {
          let sample =
            number * SoundFontFile.accents.count
            + (SoundFontFile.accents.firstIndex(of: zone.accent) ?? 0)
          // The ranges must come first, in this order, and the sample last (8.1.2).
          bytes +=
            SoundFontFile.word(Generator.keyRange) + [zone.keys.lowerBound, zone.keys.upperBound]
            + SoundFontFile.word(Generator.velocityRange)
            + [zone.velocities.lowerBound, zone.velocities.upperBound]
            // A release of one second, longer than any click, so that a short note does not cut it
            // off.
            + SoundFontFile.word(Generator.releaseVolumeEnvelope) + SoundFontFile.word(0)
            // Every key plays the sample at its original pitch.
            + SoundFontFile.word(Generator.scaleTuning) + SoundFontFile.word(0)
            + SoundFontFile.word(Generator.sampleModes) + SoundFontFile.word(0)
            + SoundFontFile.word(Generator.sample) + SoundFontFile.word(UInt16(sample))
        }
      }
      return bytes + [0, 0, 0, 0]
    }
  }

  // MARK: - Encoding

  private static let noModulators = [UInt8](repeating: 0, count: 10)

  fileprivate static func word(_ value: UInt16) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8)]
  }

  fileprivate static func words(_ values: [Int]) -> [UInt8] { values.flatMap { word(UInt16($0)) } }

  fileprivate static func double(_ value: Int) -> [UInt8] {
    word(UInt16(value & 0xFFFF)) + word(UInt16(value >> 16))
  }

  /// A name of 20 bytes, terminated by at least one zero.
  fileprivate static func name(_ text: String) -> [UInt8] {
    let bytes = text.utf8.prefix(19)
    return bytes + [UInt8](repeating: 0, count: 20 - bytes.count)
  }

  /// Text terminated by one or two zeros, so that its length is even.
  private static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: bytes.count % 2 == 0 ? 2 : 1)
  }

  private static func chunk(_ identifier: String, _ content: [UInt8]) -> [UInt8] {
    Array(identifier.utf8) + double(content.count) + content
      + (content.count % 2 == 0 ? [] : [0])
  }

  private static func list(_ kind: String, _ chunks: [[UInt8]]) -> [UInt8] {
    chunk("LIST", Array(kind.utf8) + chunks.flatMap { $0 })
  }
}
