import Glibc
import MIDIClock
import Testing

@testable import MetronomeCore

struct TextFileTests {
  private func path(_ name: String) -> String { "/tmp/midimetro-\(name)-\(getpid())" }

  @Test func `F12 a pipe is read to its end, however late its writer is`() async throws {
    let path = path("pipe")
    unsafe #expect(mkfifo(path, 0o600) == 0)
    defer { unsafe _ = unlink(path) }
    let writer = Task.detached {
      let pipe = unsafe open(path, O_WRONLY)
      for part in ["2 4/4", " 120\n", "3 3/4\n"] {
        SystemClock.sleep(until: SystemClock.now + .milliseconds(100))
        try? Descriptor(pipe).writeAll(Array(part.utf8))
      }
      close(pipe)
    }
    let content = try TextFile.readToEnd(path)
    #expect(content == Array("2 4/4 120\n3 3/4\n".utf8))
    await writer.value
  }

  @Test func `a missing file is nil, a folder an error`() throws {
    #expect(try TextFile.readToEnd(path("none")) == nil)
    #expect(throws: SystemError.self) { try TextFile.readToEnd("/tmp") }
  }

  @Test func `F2 a file keeps its content until the first line is written`() throws {
    let path = path("log")
    defer { unsafe _ = unlink(path) }
    var first = try FileWriter.create(path)
    first.add("precious")
    try first.flush()
    do {
      var second = try FileWriter.create(path)
      try second.flush()
    }
    #expect(try TextFile.read(path) == Array("precious\n".utf8))
    var third = try FileWriter.create(path)
    third.add("new")
    try third.flush()
    third.add("er")
    try third.flush()
    #expect(try TextFile.read(path) == Array("new\ner\n".utf8))
  }

  @Test func `F11 a link that leads to itself is not replaced`() throws {
    let path = path("loop")
    unsafe #expect(symlink(path, path) == 0)
    defer { unsafe _ = unlink(path) }
    #expect(throws: SystemError(operation: "open", code: ELOOP)) { try OutputFile.create(path) }
    var about = stat()
    unsafe #expect(lstat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFLNK)
  }
}
