import ClickSound
import Glibc
import MIDIClock
import Testing

@testable import MetronomeCore

struct OutputFileTests {
  /// A unique folder, deleted along with this object.
  private final class Folder {
    let path = "/tmp/midimetro-folder-\(getpid())-\(SystemClock.now.nanoseconds)"

    init() { unsafe _ = mkdir(path, 0o700) }

    deinit { for name in names { unsafe _ = unlink("\(path)/\(name)") }; unsafe _ = rmdir(path) }

    var names: [String] {
      var found: [String] = []
      guard let folder = unsafe opendir(path) else { return [] }
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
            unsafe String(cString: $0)
          }
        }
        if name != ".", name != ".." { found.append(name) }
      }
      unsafe closedir(folder)
      return found.sorted()
    }
  }

  @Test func `a file appears under its name only when complete`() throws {
    let folder = Folder()
    let file = try OutputFile.create("\(folder.path)/a.wav")
    try file.write([1, 2, 3])
    #expect(!folder.names.contains("a.wav"))
    try file.commit()
    #expect(folder.names == ["a.wav"])
    #expect(try TextFile.read("\(folder.path)/a.wav") == [1, 2, 3])
  }

  @Test func `missing folders are created along absolute and relative paths`() throws {
    let folder = Folder()
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let here = try #require(unsafe getcwd(&buffer, buffer.count).map { unsafe String(cString: $0) })
    let up = here.split(separator: "/").map { _ in ".." }.joined(separator: "/")
    for start in ["", "\(up)"] {
      let path = "\(start)\(folder.path)/a/b\(start.count)/file"
      try OutputFile.makeFolders(for: path)
      // A second call has no effect.
      try OutputFile.makeFolders(for: path)
      #expect(unsafe access("\(folder.path)/a/b\(start.count)", F_OK) == 0)
      unsafe _ = rmdir("\(folder.path)/a/b\(start.count)")
    }
    #expect(unsafe rmdir("\(folder.path)/a") == 0)
  }

  @Test func `abandoned, it leaves nothing, and the previous file stays`() throws {
    let folder = Folder()
    let first = try OutputFile.create("\(folder.path)/a.wav")
    try first.write([7])
    try first.commit()
    do {
      let second = try OutputFile.create("\(folder.path)/a.wav")
      try second.write([8, 9])
    }
    #expect(folder.names == ["a.wav"])
    #expect(try TextFile.read("\(folder.path)/a.wav") == [7])
  }

  @Test func `a symbolic link is kept, and its target is written`() throws {
    let folder = Folder()
    for (link, target) in [("there.wav", "old.wav"), ("dangling.wav", "new.wav")] {
      if link == "there.wav" {
        let old = try OutputFile.create("\(folder.path)/\(target)")
        try old.write([1])
        try old.commit()
      }
      unsafe #expect(symlink(target, "\(folder.path)/\(link)") == 0)
      let file = try OutputFile.create("\(folder.path)/\(link)")
      try file.write([2, 3])
      try file.commit()
      var about = stat()
      unsafe #expect(lstat("\(folder.path)/\(link)", &about) == 0)
      #expect(about.st_mode & S_IFMT == S_IFLNK)
      #expect(try TextFile.read("\(folder.path)/\(target)") == [2, 3])
    }
    #expect(folder.names == ["dangling.wav", "new.wav", "old.wav", "there.wav"])
  }

  // The superuser can write to it anyway.
  @Test(.enabled(if: geteuid() != 0))
  func `a write-protected file is not replaced`() throws {
    let folder = Folder()
    let file = try OutputFile.create("\(folder.path)/a.wav")
    try file.write([1])
    try file.commit()
    unsafe #expect(chmod("\(folder.path)/a.wav", 0o444) == 0)
    #expect(throws: SystemError(operation: "open", code: EACCES)) {
      _ = try OutputFile.create("\(folder.path)/a.wav")
    }
    #expect(folder.names == ["a.wav"])
  }

  @Test func `a name may have the maximum length`() throws {
    let folder = Folder()
    let name = String(repeating: "ä", count: 125) + ".wav"
    let file = try OutputFile.create("\(folder.path)/\(name)")
    try file.commit()
    #expect(folder.names == [name])
  }

  @Test func `a device is written directly, and a full one is reported`() throws {
    let file = try OutputFile.create("/dev/full")
    #expect(throws: SystemError(operation: "write", code: ENOSPC)) { try file.write([1]) }
    #expect(throws: SystemError(operation: "open", code: ENOENT)) {
      _ = try OutputFile.create("/tmp/midimetro-no-such-folder/a.wav")
    }
  }
}

struct ClickRendererTests {
  private func list(_ score: Score, countIn: Int64 = 0) -> ClickList {
    ClickList(
      Planner(
        score: score, routes: [Route(contents: .click), .observer], countInBars: countIn),
      route: 0, observer: 1)
  }

  /// The left channel of the whole file.
  private func rendered(_ clicks: ClickList, rate: Int, _ settings: SoundSettings = .init()) throws
    -> [Float]
  {
    let renderer = try ClickRenderer(clicks, settings, rate: rate)
    var block = [Float](repeating: 9, count: 2 * ClickRenderer.block)
    var left: [Float] = []
    while true {
      switch renderer.render(into: &block) {
      case .end:
        #expect(Int64(left.count) == renderer.frameCount)
        return left
      case .silence(let count): left += [Float](repeating: 0, count: count)
      case .sound(let count):
        for index in 0..<count {
          #expect(block[2 * index] == block[2 * index + 1])
          left.append(block[2 * index])
        }
      }
    }
  }

  @Test(arguments: [8_000, 44_100, 48_000, 192_000])
  func `each click has its own samples at the nearest frame, and nothing else sounds`(
    rate: Int
  ) throws {
    let pattern = try ClickPattern(meter: Meter(text: "5/8"), subdivision: 3)
    let score = Score(
      pattern: pattern, tempo: try #require(Tempo(milliBPM: 143_217)), bars: 3)
    let clicks = list(score, countIn: 1)
    var wanted = [Float](repeating: 0, count: 0)
    let length = (clicks.end - clicks.begin).nanoseconds
    wanted = [Float](
      repeating: 0, count: Int((Double(length) * Double(rate) / 1e9).rounded()))
    for click in clicks.clicks {
      let time = Double((click.time - clicks.begin).nanoseconds) / 1e9
      let frame = Int((time * Double(rate)).rounded())
      let accent = ClickSet.accent(key: click.key, velocity: click.velocity)
      let gain = ClickSet.gain(velocity: click.velocity)
      for (index, value) in ClickSet.wood.frames(accent, rate: rate).enumerated()
      where frame + index < wanted.count {
        wanted[frame + index] += value * gain
      }
    }
    let made = try rendered(clicks, rate: rate)
    #expect(made.count == wanted.count && clicks.clicks.count == 60)
    for (one, other) in zip(made, wanted) {
      #expect((one - max(-1, min(1, other))).magnitude < 1e-5)
    }
  }

  @Test func `the length is exactly as requested, not rounded to the plan's next tick`() throws {
    // A tick lasts 0.47 ms here.
    let duration = HostTime.Span.milliseconds(7_300)
    let clicks = ClickList(
      Planner(
        score: Score(pattern: .common, tempo: try #require(Tempo(milliBPM: 133_700))),
        routes: [Route(contents: .click), .observer], limit: .time(.zero + duration)),
      route: 0, observer: 1, notAfter: .zero + duration)
    #expect(try rendered(clicks, rate: 48_000).count == 350_400)
    #expect(clicks.clicks.count == 17)
    #expect(clicks.clicks.allSatisfy { $0.end <= clicks.end })
  }

  @Test func `volume is a factor, clipped to full scale`() throws {
    let clicks = list(
      Score(pattern: .common, tempo: try #require(Tempo(milliBPM: 120_000)), bars: 1))
    var settings = SoundSettings()
    let plain = try rendered(clicks, rate: 48_000, settings)
    settings.volume = 50
    let half = try rendered(clicks, rate: 48_000, settings)
    settings.volume = 200
    let double = try rendered(clicks, rate: 48_000, settings)
    for index in plain.indices {
      #expect((half[index] - plain[index] / 2).magnitude < 1e-6)
      #expect((double[index] - max(-1, min(1, plain[index] * 2))).magnitude < 1e-6)
    }
  }

  @Test func `a missing font is an error, not silence (F108)`() throws {
    let clicks = list(
      Score(pattern: .common, tempo: try #require(Tempo(milliBPM: 120_000)), bars: 1))
    var settings = SoundSettings()
    settings.font = "/proc/self/status"
    #expect(throws: SoundError.unusableFont("/proc/self/status")) {
      _ = try ClickRenderer(clicks, settings, rate: 48_000)
    }
  }
}
