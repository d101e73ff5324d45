import MIDIClock
import Testing

@testable import click_font
@testable import ClickSound

/// Parses the file by the specification, independently of the code that wrote it.
private struct FontReader {
  let bytes: [UInt8]

  func double(_ at: Int) -> Int {
    Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 24
  }

  func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }

  func name(_ at: Int, _ length: Int) -> String {
    String(decoding: bytes[at..<(at + length)].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The chunks in a range: name, offset and length of the content.
  func chunks(_ range: Range<Int>) -> [(name: String, start: Int, length: Int)] {
    var found: [(String, Int, Int)] = []
    var at = range.lowerBound
    while at + 8 <= range.upperBound {
      let length = double(at + 4)
      found.append((name(at, 4), at + 8, length))
      at += 8 + length + length % 2
    }
    return found
  }
}

struct SoundFontFileTests {
  private let reader = FontReader(bytes: SoundFontFile.bytes())

  private var chunks: [String: (start: Int, length: Int)] {
    var all: [String: (start: Int, length: Int)] = [:]
    for list in reader.chunks(12..<reader.bytes.count) {
      for chunk in reader.chunks((list.start + 4)..<(list.start + list.length)) {
        all[chunk.name] = (chunk.start, chunk.length)
      }
    }
    return all
  }

  @Test func `it is one RIFF form of three lists, of the stated length, a few tens of KB`() {
    let outer = reader.chunks(0..<reader.bytes.count)
    #expect(outer.count == 1 && outer[0].name == "RIFF")
    #expect(outer[0].length + 8 == reader.bytes.count)
    #expect(reader.name(8, 4) == "sfbk")
    let lists = reader.chunks(12..<reader.bytes.count)
    #expect(lists.map { reader.name($0.start, 4) } == ["INFO", "sdta", "pdta"])
    #expect(reader.bytes.count < 80_000)
  }

  @Test func `every table has complete rows and ends with its terminal row`() throws {
    let rows = [
      ("phdr", 38, 4), ("pbag", 4, 4), ("pmod", 10, 1), ("pgen", 4, 4), ("inst", 22, 4),
      ("imod", 10, 1), ("shdr", 46, 10),
    ]
    for (name, size, count) in rows {
      #expect(try #require(chunks[name]).length == size * count, "\(name)")
    }
    let bags = try #require(chunks["ibag"])
    let generators = try #require(chunks["igen"])
    let last = reader.word(bags.start + bags.length - 4)
    #expect((last + 1) * 4 == generators.length)
    let samples = try #require(chunks["shdr"])
    #expect(reader.name(samples.start + 9 * 46, 20) == "EOS")
  }

  @Test func `three drum kits in bank 128`() throws {
    let table = try #require(chunks["phdr"])
    for (number, set) in ClickSet.allCases.enumerated() {
      let row = table.start + number * 38
      #expect(reader.name(row, 20) == "Clicks: \(set.rawValue)")
      #expect(reader.word(row + 20) == number && reader.word(row + 22) == 128)
    }
  }

  @Test func `each sample matches the synthesis, followed by at least 46 zero frames`() throws {
    let table = try #require(chunks["shdr"])
    let data = try #require(chunks["smpl"])
    var row = table.start
    for set in ClickSet.allCases {
      for accent in [Accent.strong, .medium, .weak] {
        let (start, end) = (reader.double(row + 20), reader.double(row + 24))
        #expect(reader.name(row, 20) == "\(set.rawValue) \(accent.name)")
        #expect(reader.double(row + 36) == 44_100)
        let frames = set.frames(accent, rate: 44_100)
        #expect(end - start == frames.count)
        for (index, frame) in frames.enumerated() {
          let value = Int16(truncatingIfNeeded: reader.word(data.start + 2 * (start + index)))
          #expect(abs(Int32(value) - Int32(frame * 32_767)) <= 1)
        }
        let after = data.start + 2 * end
        #expect(reader.bytes[after..<(after + 92)].allSatisfy { $0 == 0 })
        row += 46
      }
    }
  }

  @Test func `every key and velocity has exactly one zone, the same as in ClickSet`() throws {
    let bags = try #require(chunks["ibag"])
    let generators = try #require(chunks["igen"])
    let instruments = try #require(chunks["inst"])
    for number in 0..<3 {
      let first = reader.word(instruments.start + number * 22 + 20)
      let end = reader.word(instruments.start + (number + 1) * 22 + 20)
      for key in 0...127 as ClosedRange<UInt8> {
        for velocity in [1, 64, 89, 90, 100, 111, 112, 127] as [UInt8] {
          var samples: [Int] = []
          for zone in first..<end {
            let at = generators.start + reader.word(bags.start + zone * 4) * 4
            let keys = Int(reader.bytes[at + 2])...Int(reader.bytes[at + 3])
            let velocities = Int(reader.bytes[at + 6])...Int(reader.bytes[at + 7])
            if keys.contains(Int(key)), velocities.contains(Int(velocity)) {
              samples.append(reader.word(at + 5 * 4 + 2))
            }
          }
          let accent = ClickSet.accent(key: key, velocity: velocity)
          let place = [Accent.strong, .medium, .weak].firstIndex(of: accent)
          #expect(samples == [number * 3 + (place ?? -1)], "key \(key), velocity \(velocity)")
        }
      }
    }
  }
}
