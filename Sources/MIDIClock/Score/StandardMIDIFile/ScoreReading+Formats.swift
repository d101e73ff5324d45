extension ScoreReading {
  /// Reads a score file, or the tempos and meters of a Standard MIDI File.
  ///
  /// - Throws: `Refusal` with every error found.
  public init(_ bytes: [UInt8], defaults: Defaults = Defaults()) throws(Refusal) {
    if bytes.starts(with: Array("MThd".utf8)) {
      self = try MIDIFileReader.read(bytes, defaults)
    } else if let file = try Self.unwrapped(bytes) {
      self = try MIDIFileReader.read(file, defaults)
    } else {
      self = try ScoreText.read(bytes, defaults)
    }
  }

  /// The MIDI file inside a RIFF file (.rmi); `nil` for a text.
  ///
  /// Source: RP-029, "Bundling SMF and DLS files in an RMID file".
  /// - Throws: `Refusal` for any other wrapper.
  private static func unwrapped(_ bytes: [UInt8]) throws(Refusal) -> [UInt8]? {
    let start = bytes.prefix(12)
    if start.starts(with: "RIFF".utf8) {
      guard start.dropFirst(8).elementsEqual("RMID".utf8) else {
        throw Refusal("it is a RIFF file without a MIDI file in it, such as a WAV file")
      }
      var rest = bytes[12...]
      while rest.count > 8 {
        let body = rest.dropFirst(8)
        let size = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        if rest.starts(with: "data".utf8) { return Array(body.prefix(size)) }
        // Chunks are padded to an even length.
        rest = body.dropFirst(size + size % 2)
      }
      throw Refusal("it is a RIFF file whose MIDI file is missing")
    }
    let wrappers: [(start: [UInt8], name: String)] = [
      ([0x1F, 0x8B], "compressed by gzip"), (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
      (Array("BZh".utf8), "compressed by bzip2"), ([0xFD] + Array("7zXZ".utf8), "compressed by xz"),
      ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd"), (Array("FORM".utf8), "an IFF file"),
      (Array("<?xml".utf8), "an XML file"), (Array("OggS".utf8), "an Ogg file"),
      (Array("fLaC".utf8), "a FLAC file"), (Array("%PDF".utf8), "a PDF file"),
    ]
    if let wrapper = wrappers.first(where: { bytes.starts(with: $0.start) }) {
      throw Refusal(
        "it is \(wrapper.name), not a score: unpack it, or export a MIDI file from it")
    }
    if bytes.contains(0), let place = bytes.firstRange(of: Array("MThd".utf8))?.lowerBound {
      throw Refusal(
        "it is a wrapper around a MIDI file, which begins at byte \(place + 1): take that out of it"
      )
    }
    return nil
  }
}
