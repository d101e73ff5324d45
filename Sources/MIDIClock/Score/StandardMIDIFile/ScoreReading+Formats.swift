extension ScoreReading {
  /// Reads a score file, or the tempos and meters of a Standard MIDI File.
  ///
  /// - Throws: `Refusal` with every error found.
  public init(_ bytes: [UInt8], defaults: Defaults = Defaults()) throws(Refusal) {
    self =
      bytes.starts(with: Array("MThd".utf8))
      ? try MIDIFileReader.read(bytes, defaults) : try ScoreText.read(bytes, defaults)
  }
}
