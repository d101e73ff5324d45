/// Reads the tempos and time signatures of a Standard MIDI File.
///
/// Source: Standard MIDI Files 1.0 (MMA, 1996). The file's ticks are converted to the nearest of
/// ours, 960 per quarter; its tempos, whole microseconds per quarter, are kept exactly. Several
/// tempos within one pulse are replaced by one that takes the same time. The song ends with the bar
/// in which the last track ends.
///
/// Many programs write files that break the format in ways that others read without complaint: a
/// wrong number of tracks, a wrong chunk length, running status after a meta event. What such a file
/// holds is read, with a warning where something may be missing.
enum MIDIFileReader {
  /// What to do about a file that is refused.
  private static let remedy = "export it again, or open it in a MIDI editor and save it"

  /// Reads a file.
  static func read(
    _ bytes: [UInt8], _ defaults: ScoreReading.Defaults
  ) throws(ScoreReading.Refusal) -> ScoreReading {
    let (division, format, count, chunks) = try header(bytes)
    guard format < 2 else {
      throw .init(
        "it is a MIDI file of format \(format), patterns without one time; use format 0 or 1")
    }
    guard division != 0 else {
      throw .init("its header gives 0 ticks per quarter note, so it has no time; \(remedy)")
    }
    guard division & 0x8000 == 0 else {
      throw .init("its time is in film frames, not in beats; export it with ticks per quarter note")
    }
    var song = Song()
    var read = 0
    var rest = chunks
    while let chunk = Chunk(&rest, isTrackDue: read < count) {
      read += 1
      let track = try self.track(chunk, read, &rest, &song.warnings)
      for event in track {
        let tick = Division.rounded(
          Int128(event.tick) * Int128(Resolution.ticksPerQuarter), by: Int128(division))
        song.add(event.kind, at: tick, track: read)
      }
    }
    guard read > 0 else { throw .init("it has no whole track; \(remedy)") }
    if read != count {
      song.warnings.append(
        "its header counts \(count) track\(count == 1 ? "" : "s"), but there \(read == 1 ? "is" : "are")"
          + " \(read); \(read == 1 ? "that one is" : "all of them are") read")
    }
    return try song.score(defaults)
  }

  private static func header(
    _ bytes: [UInt8]
  ) throws(ScoreReading.Refusal) -> (
    division: Int, format: Int, count: Int, chunks: ArraySlice<UInt8>
  ) {
    var file = StandardMIDIFile.Cursor(bytes[...])
    guard file.take(4) == Array("MThd".utf8)[...], let length = file.number(4), length >= 6,
      var header = file.take(length).map(StandardMIDIFile.Cursor.init),
      let format = header.number(2),
      let count = header.number(2), let division = header.number(2)
    else { throw .init("its header is cut off: it is no whole MIDI file") }
    return (division, format, count, file.rest)
  }

  /// The next chunk with a track in it.
  private struct Chunk {
    var body: ArraySlice<UInt8>
    /// The body and what comes after it.
    var onwards: ArraySlice<UInt8>
    /// Whether the file ends before the chunk does.
    var isCut: Bool

    /// Takes it off `rest`; `nil` when there is no other.
    ///
    /// While a track is due, bytes that are no chunk are searched for the next one. Otherwise they
    /// are what some programs leave behind the last track.
    init?(_ rest: inout ArraySlice<UInt8>, isTrackDue: Bool) {
      let kind = Array("MTrk".utf8)
      while true {
        var cursor = StandardMIDIFile.Cursor(rest)
        guard let name = cursor.take(4), let size = cursor.number(4) else { return nil }
        if name == kind[...] {
          isCut = size > cursor.rest.count
          onwards = cursor.rest
          body = cursor.rest.prefix(size)
          rest = cursor.rest.dropFirst(size)
          return
        }
        // Chunks of other types may come in between.
        if name.allSatisfy({ (0x20..<0x7F).contains($0) }), size <= cursor.rest.count {
          rest = cursor.rest.dropFirst(size)
          continue
        }
        guard isTrackDue,
          let next = rest.indices.dropFirst().first(where: { rest[$0...].starts(with: kind) })
        else { return nil }
        rest = rest[next...]
      }
    }
  }

  /// The events of track `number`.
  ///
  /// A track whose chunk has a wrong length is read up to its own end, and `rest` moves there.
  private static func track(
    _ chunk: Chunk, _ number: Int, _ rest: inout ArraySlice<UInt8>, _ warnings: inout [String]
  ) throws(ScoreReading.Refusal) -> [Event] {
    var track = TrackReader(chunk.body)
    track.read()
    if !track.isAtEnd, !chunk.isCut, !rest.isEmpty, !rest.starts(with: Array("MTrk".utf8)) {
      // Too short a length cuts the track in two; read on to see whether it ends properly.
      var longer = TrackReader(chunk.onwards)
      longer.read()
      if longer.isAtEnd {
        track = longer
        rest = longer.rest
        warnings.append("the length of track \(number) is wrong; it was read up to its end")
      }
    } else if chunk.isCut, track.isAtEnd {
      rest = track.rest
      warnings.append("the length of track \(number) is wrong; it was read up to its end")
    }
    guard track.isAtEnd || !chunk.isCut else {
      throw .init("track \(number) is cut off: it is no whole MIDI file; \(remedy)")
    }
    guard track.isWhole else {
      throw .init("track \(number) has a fault at byte \(track.offset) of it; \(remedy)")
    }
    if track.hasSystemMessages {
      warnings.append(
        "track \(number) holds messages that do not belong in a file; they were left out")
    }
    return track.events
  }
}
