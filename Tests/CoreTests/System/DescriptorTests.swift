import Glibc
import MetronomeCore
import Testing

struct DescriptorTests {
  /// A pipe with a non-blocking write end.
  private final class Pipe: Sendable {
    let reader: Int32
    let writer: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      (reader, writer) = (ends[0], ends[1])
      try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
    }

    deinit {
      close(reader)
      close(writer)
    }

    /// Reads what is available, at least a byte.
    func take() -> [UInt8] {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(reader, &chunk, chunk.count)
      return Array(chunk.prefix(max(0, count)))
    }
  }

  @Test func `a full pipe accepts no more, and a partial write as much as fits`() throws {
    let pipe = try Pipe()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let first = try Descriptor(pipe.writer).writeSome(bytes[...])
    #expect(first > 0 && first < bytes.count)
    #expect(try Descriptor(pipe.writer).writeSome(bytes[first...]) == 0)
    #expect(pipe.take() == Array(bytes[..<min(first, 65_536)]))
    #expect(try Descriptor(pipe.writer).writeSome(bytes[first...]) > 0)
  }

  @Test func `everything is written to a slow reader, though the pipe does not block`()
    throws
  {
    let pipe = try Pipe()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let writing = try RealtimeThread.start(name: "writer", priority: nil, state: pipe) {
      (try? Descriptor($0.writer).writeAll(bytes)) != nil
    }
    var read: [UInt8] = []
    while read.count < bytes.count { read += pipe.take() }
    let isWritten = writing.join()
    #expect(isWritten)
    #expect(read == bytes)
  }

  @Test func `an empty write does nothing`() throws {
    try Descriptor(-1).writeAll([])
  }

  @Test func `a failed write reports its errno`() {
    #expect(throws: SystemError(operation: "write", code: EBADF)) {
      try Descriptor(-1).writeAll([1])
    }
    #expect(throws: SystemError(operation: "write", code: EBADF)) {
      _ = try Descriptor(-1).writeSome([1])
    }
  }
}
