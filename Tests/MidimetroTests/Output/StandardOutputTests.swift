import Glibc
import MetronomeCore
import Testing

@testable import midimetro

struct StandardOutputTests {
  @Test func `control characters are not sent to the terminal`() {
    #expect(Words.printable("a\u{1B}[31m\u{7}\u{0}\u{9B}b é '日'", mark: "?") == "a?[31m???b é '日'")
  }

  @Test func `a full non-blocking pipe is waited for`() throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (reading, writing) = (ends[0], ends[1])
    // A pipe's capacity is 64 KiB.
    let text = String(repeating: "0.000000000 F8\n", count: 10_000)
    // A separate thread, because the test blocks and the task pool may have only two threads.
    let reader = try RealtimeThread.start(name: "reader", priority: nil, state: reading) {
      reading in
      var count = 0
      var room = [UInt8](repeating: 0, count: 65_536)
      while true {
        let got = unsafe read(reading, &room, room.count)
        if got == 0 { return count }
        if got < 0 { usleep(20_000) } else { count += got }
      }
    }
    #expect(StandardOutput.write(text, to: writing))
    close(writing)
    let count = reader.join()
    #expect(count == text.utf8.count)
    close(reading)
  }
}
