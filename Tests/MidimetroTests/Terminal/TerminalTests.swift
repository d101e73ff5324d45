import Glibc
import MIDIClock
import MetronomeCore
import Testing

@testable import midimetro

/// Output waiting for a terminal.
struct TerminalBacklogTests {
  private func time(_ milliseconds: Int64) -> HostTime { .zero + .milliseconds(milliseconds) }

  @Test func `everything is written in order, in whatever pieces it is accepted`() {
    var backlog = TerminalBacklog()
    let sent = (0..<1_000).map { UInt8($0 % 251) }
    backlog.add(Array(sent[..<400]))
    var got: [UInt8] = []
    var calls = 0
    for step in 0..<1_000 where got.count < sent.count {
      if step == 3 { backlog.add(Array(sent[400...])) }
      backlog.flush(at: time(Int64(step))) { bytes in
        calls += 1
        guard calls % 3 != 0 else { return .full }
        let piece = bytes.prefix(calls % 7 + 1)
        got += piece
        return .took(piece.count)
      }
    }
    #expect(got == sent)
    #expect(backlog.isEmpty && backlog.retry == nil)
  }

  @Test func `a full terminal is retried after a frame, and less often after a second`() {
    var backlog = TerminalBacklog()
    backlog.add([1])
    #expect(backlog.retry == nil)
    backlog.flush(at: time(0)) { _ in .full }
    #expect(backlog.retry == time(33))
    backlog.flush(at: time(990)) { _ in .full }
    #expect(backlog.retry == time(1_023))
    backlog.flush(at: time(1_023)) { _ in .full }
    #expect(backlog.retry == time(1_123))
  }

  @Test(arguments: [(Int64(999), false), (1_000, true)])
  func `after a second without progress everything is redrawn`(milliseconds: Int64, isLong: Bool) {
    var backlog = TerminalBacklog()
    backlog.block(at: time(0))
    backlog.block(at: time(500))
    backlog.add([1])
    backlog.flush(at: time(milliseconds)) { .took($0.count) }
    let asked = [backlog.takeLongBlockage(), backlog.takeLongBlockage()]
    #expect(asked == [isLong, false])
    #expect(backlog.retry == nil)
  }

  @Test func `nothing is kept for a closed terminal`() {
    var backlog = TerminalBacklog()
    backlog.add([1, 2])
    backlog.flush(at: time(0)) { _ in .gone }
    #expect(backlog.isGone && backlog.isEmpty && backlog.retry == nil)
    backlog.add([3])
    #expect(backlog.isEmpty)
  }
}

/// Which keyboard input is a paste.
struct PasteGateTests {
  private func swallowed(_ text: String, _ gate: inout PasteGate, at now: HostTime) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { !gate.swallows(.code(Int($0.value)), at: now) }))
  }

  @Test func `text between the paste marks is not a key`() {
    var gate = PasteGate()
    #expect(swallowed("97", &gate, at: .zero) == "97")
    gate.open(at: .zero)
    #expect(swallowed("q\u{1B}[Aq", &gate, at: .zero).isEmpty)
    let isPartOfIt = gate.swallows(.end, at: .zero)
    #expect(isPartOfIt)
    #expect(swallowed("120", &gate, at: .zero) == "120")
  }

  @Test func `a split end mark is recognized`() {
    var gate = PasteGate()
    gate.open(at: .zero)
    #expect(swallowed("x\u{1B}\u{1B}[201~97", &gate, at: .zero) == "97")
  }

  @Test func `a paste without an end mark is over after a long silence`() {
    var gate = PasteGate()
    gate.open(at: .zero)
    #expect(swallowed("abc", &gate, at: .zero + .milliseconds(1_999)).isEmpty)
    #expect(swallowed("q", &gate, at: .zero + .milliseconds(3_999)) == "q")
  }
}

/// The screen on a pseudo-terminal, in its own process, since its end is what is tested.
struct FullScreenTests {
  /// A terminal whose other end is this process.
  private final class Terminal {
    let master: Int32
    /// Preserves settings and unread output while no one else has it open.
    let slave: Int32
    let path: String

    init() throws {
      master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var number: UInt32 = 0
      var lock: Int32 = 0
      // TIOCGPTN and TIOCSPTLCK, macros that Swift does not import.
      let (whichOne, lockIt) = (UInt(0x8004_5430), UInt(0x4004_5431))
      let isMade = unsafe ioctl(master, whichOne, &number) == 0
      let isUnlocked = unsafe ioctl(master, lockIt, &lock) == 0
      try #require(isMade && isUnlocked)
      path = "/dev/pts/\(number)"
      slave = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(slave >= 0)
      var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
      let isSized = unsafe ioctl(master, UInt(TIOCSWINSZ), &size) == 0
      try #require(isSized)
      _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    deinit {
      close(slave)
      close(master)
    }

    /// The output that has not been read.
    func read() -> String {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe Glibc.read(master, &piece, piece.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += piece[..<count]
      }
    }

    /// Whether it is in the state a shell leaves it in.
    var echoes: Bool {
      var settings = termios()
      return unsafe tcgetattr(slave, &settings) == 0
        && settings.c_lflag & UInt32(ECHO | ICANON) != 0
    }
  }

  /// Makes the terminal at `path` this process's own, and draws on it.
  private static func show(on path: String) -> FullScreen? {
    let terminal = unsafe open(path, O_RDWR | O_NOCTTY)
    dup2(terminal, STDIN_FILENO)
    dup2(terminal, STDOUT_FILENO)
    unsafe setenv("TERM", "xterm-256color", 1)
    unsafe unsetenv("LINES")
    unsafe unsetenv("COLUMNS")
    var screen = FullScreen.open(isColourless: false, isASCII: true)
    screen?.show(canvas("seen"), at: SystemClock.now)
    return screen
  }

  private static func canvas(_ text: String) -> Canvas {
    var canvas = Canvas(width: 80, height: 24)
    canvas.put(text, x: 0, y: 0)
    return canvas
  }

  /// What ends a screen on such a terminal: no paste marks, no mouse, the shell's own screen.
  private static let ends = ["\u{1B}[?2004l", "\u{1B}[?1006;1000l", "\u{1B}[?1049l"]

  @Test func `a screen is shown and removed`() async throws {
    let terminal = try Terminal()
    let path = terminal.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      do {
        let screen = FullScreenTests.show(on: path)
        guard let size = screen?.size, size == (width: 80, height: 24) else { exit(3) }
      }
      exit(0)
    }
    let said = terminal.read()
    for part in ["\u{1B}[?1049h", "\u{1B}[?2004h", "\u{1B}[?1006;1000h", "seen"] + Self.ends {
      #expect(said.contains(part), "\(part.dropFirst())")
    }
    #expect(terminal.echoes)
  }

  @Test func `keys are read, and text pasted between its marks is not`() async throws {
    let terminal = try Terminal()
    let path = terminal.path
    let typed = Array("9\u{1B}[200~q1\u{1B}[A\u{1B}[201~\u{1B}OA7 ".utf8)
    let count = unsafe write(terminal.master, typed, typed.count)
    #expect(count == typed.count)
    await #expect(processExitsWith: .success) { [path = path as String] in
      guard var screen = FullScreenTests.show(on: path) else { exit(3) }
      var keys: [Key] = []
      while let key = screen.nextKey(at: SystemClock.now) { keys.append(key) }
      guard keys == [.character("9"), .up, .character("7"), .character(" ")] else { exit(4) }
      exit(screen.hasPasted ? 0 : 5)
    }
  }

  @Test func `a stack overflow restores the terminal`() async throws {
    let terminal = try Terminal()
    let path = terminal.path
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
      func fall(_ depth: Int) -> Int { depth < 0 ? 0 : fall(depth + 1) + fall(depth + 2) + 1 }
      let screen = FullScreenTests.show(on: path)
      exit(fall(0) > 0 && screen != nil ? 0 : 3)
    }
    let said = terminal.read()
    for part in ["seen"] + Self.ends { #expect(said.contains(part), "\(part.dropFirst())") }
    #expect(terminal.echoes)
  }

  @Test(arguments: [false, true])
  func `a terminal that is not read blocks nothing`(crashes: Bool) async throws {
    let terminal = try Terminal()
    let path = terminal.path
    await #expect(processExitsWith: crashes ? .signal(SIGABRT) : .success) {
      [path = path as String, crashes = crashes as Bool] in
      do {
        guard var screen = FullScreenTests.show(on: path) else { exit(3) }
        // More output than any terminal accepts unread.
        for count in 0..<1_000 where screen.retry == nil {
          var canvas = Canvas(width: 80, height: 24)
          for row in 0..<24 {
            canvas.put(String(repeating: "\(count % 10)", count: 80), x: 0, y: row)
          }
          screen.show(canvas, at: SystemClock.now)
        }
        guard screen.retry != nil, !screen.isReady(at: SystemClock.now) else { exit(4) }
        // A screen that waited for the terminal would wait forever.
        alarm(20)
        if crashes { abort() }
      }
      exit(0)
    }
    // Once it is read, the shell's state is back immediately.
    let said = terminal.read()
    for part in Self.ends { #expect(said.contains(part), "\(part.dropFirst())") }
    #expect(terminal.echoes)
  }
}
