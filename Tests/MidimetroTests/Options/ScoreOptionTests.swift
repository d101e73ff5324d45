import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

/// `--score` and `check`: what is read, what the command line may add, and the errors.
struct ScoreOptionTests {
  private static let song = "Intro: 2 3/4 q=90\nVerse: 4 120\n"

  private func play(_ words: [String], _ song: String = Self.song) throws -> PlayOptions {
    let environment = Environment(contents: { path in
      path == "song" ? Array(song.utf8) : nil
    })
    return try options(of: Command(words, environment: environment))
  }

  private func failure(_ words: [String], _ song: String = Self.song) -> Failure? {
    do {
      _ = try play(words, song)
      return nil
    } catch { return error as? Failure }
  }

  @Test func `the score's passages are played and end with it`() throws {
    let options = try play(["--score", "song"])
    #expect(options.settings.score.passages.map(\.pace.tempo.description) == ["90", "120"])
    #expect(options.settings.score.end == Tick(6 * 3 * 960))
    #expect(options.tempo.description == "90")
    #expect(options.settings.score.parts == ["Intro", "Verse"])
    #expect(options.scorePath == "song")
  }

  @Test func `it can begin and end at another bar`() throws {
    let options = try play(["--score", "song", "--start-bar", "3", "--bars", "2"])
    #expect(options.tempo.description == "120")
    #expect(options.opening.span.bar == 3)
    #expect(options.settings.score.end == Tick(4 * 3 * 960))
    #expect(try play(["--score", "song", "--bars", "99"]).settings.score.end == Tick(6 * 3 * 960))
    #expect(
      failure(["--score", "song", "--start-bar", "7"])?.message.contains("has 6 bars") == true)
  }

  @Test func `what its beginning leaves out comes from the command line`() throws {
    let options = try play(["100", "--score", "song", "-m", "5/8"], "4\n4 3/4 150")
    #expect(options.settings.score.passages[0].pace.tempo.description == "100")
    #expect(options.settings.score.passages[0].span.pattern.meter.description == "5/8=3+2")
    #expect(options.settings.score.passages[1].span.pattern.meter.description == "3/4")
  }

  @Test(
    arguments: [
      (["100", "--score", "song"], "leave the tempo out"),
      (["-b", "100", "--score", "song"], "leave the tempo"),
      (["--score", "song", "-m", "4/4"], "leave --meter out"),
      (["--score", "song", "-a", "Xxx"], "accents are the score's own"),
      (["--score", "song", "--swing", "60"], "swing moves the second click"),
    ])
  func `an option that the score determines is refused`(words: [String], reason: String) {
    let failure = failure(words)
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }

  @Test func `a dry run needs an end, and a score has one`() throws {
    let options = try play(["--score", "song", "--dry-run"])
    var lines: [String] = []
    DryRun.run(options) {
      lines.append($0)
      return true
    }
    #expect(lines.count { $0.hasSuffix(" F8") } == 6 * 3 * 24)
    #expect(failure(["--score", "song", "--dry-run"], "* 90")?.status == .usage)
  }

  @Test func `a faulty file exits with 65 and all errors, a missing one with 66`() {
    let bad = failure(["--score", "song"], "4 90\n4 abc\n\nx 90\n")
    #expect(bad?.status == .badData)
    #expect(
      bad?.message.split(separator: "\n").map { $0.prefix(14) } == [
        "song: line 2: ", "song: line 4: ",
      ])
    #expect(failure(["--score", "none"])?.status == .noInput)
  }

  @Test func `check prints bars, times, meters and tempos`() throws {
    let text = "Intro: 2 3/4 q=90\n4 120\nat 4:2.5 100-140\n1 7/8"
    let reading = try ScoreReading(Array(text.utf8))
    #expect(
      Check.text("song", reading) == """
        song: 7 bars, 0:11.535
        bar    at        meter      tempo      name
        1      0:00.000  3/4        q=90       Intro
        3      0:04.000  3/4        q=120
        4:2.5  0:06.250  3/4        q=100-140
        7      0:10.035  7/8=2+2+3  q=140

        """)
    #expect(
      Check.text("song", try ScoreReading(Array("* 90".utf8))).hasPrefix(
        "song: plays until stopped\n"))
  }

  @Test func `check needs one file`() {
    for words in [["check"], ["check", "a", "b"]] {
      do {
        _ = try Command(words, environment: Environment())
        Issue.record("\(words) was taken")
      } catch { #expect(error.status == .usage) }
    }
  }
}
