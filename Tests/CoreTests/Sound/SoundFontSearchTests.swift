import Testing

@testable import MetronomeCore

@Suite struct SoundFontSearchTests {
  @Test func `the option precedes the environment, and both precede the standard locations`() throws
  {
    #expect(
      try SoundFontSearch.font(option: "/a.sf2", environment: "/b.sf2") { _ in true } == "/a.sf2")
    #expect(try SoundFontSearch.font(option: nil, environment: "/b.sf2") { _ in true } == "/b.sf2")
    #expect(
      try SoundFontSearch.font(option: nil, environment: nil) { _ in true }
        == SoundFontSearch.standardPlaces[0])
  }

  @Test func `the first readable standard location is used`() throws {
    let third = SoundFontSearch.standardPlaces[2]
    let found = try SoundFontSearch.font(option: nil, environment: nil) { path in
      path == third || path == SoundFontSearch.standardPlaces[4]
    }
    #expect(found == third)
  }

  @Test func `a font that was named is never replaced by another (F108)`() {
    #expect(throws: SoundError.unusableFont("./none.sf2")) {
      try SoundFontSearch.font(option: "./none.sf2", environment: "/b.sf2") { $0 == "/b.sf2" }
    }
    #expect(throws: SoundError.unusableFont("/b.sf2")) {
      try SoundFontSearch.font(option: nil, environment: "/b.sf2") { $0 != "/b.sf2" }
    }
  }

  @Test(arguments: ["/proc/self/status", "/proc/self/exe", "/etc", "/dev/null", "/none.sf2", ""])
  func `a file that is not a font is rejected`(path: String) {
    #expect(!SoundFontSearch.looksLikeFont(path))
  }

  @Test func `without any font the error has the places that were looked at`() {
    let error = SoundError.noFont(tried: SoundFontSearch.standardPlaces)
    #expect(throws: error) {
      try SoundFontSearch.font(option: nil, environment: nil) { _ in false }
    }
  }
}
