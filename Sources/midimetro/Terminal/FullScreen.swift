internal import CScreen
internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// The terminal as a full screen, through ncurses.
///
/// Use one at a time, on the main thread. ncurses writes to memory and does not know the terminal,
/// because it might block on it; a non-blocking `TerminalWriter` passes the bytes on. The terminal
/// is restored when the value is destroyed, and by a signal handler if the program crashes.
@safe struct FullScreen: ~Copyable {
  /// The source of keys.
  let descriptor = STDIN_FILENO
  let symbols: Symbols
  /// Whether the locale supports only ASCII.
  private let isASCII: Bool
  private let hasColors: Bool
  private var isOpen = true
  /// Whether the terminal is gone, so that no key can arrive any more.
  private(set) var hasHungUp = false
  /// Whether text was pasted since this was last set to false.
  var hasPasted = false
  private var paste = PasteGate()
  private var writer: TerminalWriter
  private let state: OpaquePointer
  /// The canvas as last passed to curses; `nil` if it must be redrawn in full.
  private var shown: Canvas?

  /// Whether the terminal in `TERM` can show a screen: it is known and has cursor addressing.
  ///
  /// Determined only once, because curses must not reload the terminal's description while a screen
  /// is shown.
  static let isPossible = midimetro_screen_is_possible() != 0

  /// Takes over the terminal; `nil` if it cannot show a screen (`TERM` unknown or dumb).
  ///
  /// `isColourless` is whether `NO_COLOR` is set (source: no-color.org), `isASCII` whether the user
  /// asked for plain ASCII.
  static func open(isColourless: Bool, isASCII: Bool) -> FullScreen? {
    let isUnicode = midimetro_screen_is_unicode() != 0
    let writer = TerminalWriter()
    guard let state = unsafe midimetro_screen_open(writer.descriptor) else { return nil }
    return unsafe FullScreen(
      state, writer, isUnicode: isUnicode, symbols: isUnicode && !isASCII ? .unicode : .ascii,
      isColourless: isColourless)
  }

  private init(
    _ state: OpaquePointer, _ writer: consuming TerminalWriter,
    isUnicode: Bool, symbols: Symbols, isColourless: Bool
  ) {
    unsafe self.state = state
    self.writer = writer
    self.symbols = symbols
    isASCII = !isUnicode
    hasColors = !isColourless && midimetro_screen_has_colors() > 0
    if hasColors {
      for role in Canvas.Role.allCases { midimetro_screen_define(role.pair, role.colour, -1) }
    }
    measure()
    askForPasteMarks(true)
  }

  deinit { if isOpen { giveBack() } }

  /// In a crash, copies the content of `pipe` to `original`: the last lines on stderr explain the
  /// crash.
  func onCrashCopy(from pipe: Int32, to original: Int32) {
    unsafe midimetro_screen_copy_on_crash(state, pipe, original)
  }

  /// The size in columns and rows.
  var size: (width: Int, height: Int) {
    (Int(midimetro_screen_columns()), Int(midimetro_screen_rows()))
  }

  /// Updates the size from the terminal; source: `TIOCGWINSZ`.
  mutating func measure() {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0,
      size.ws_col > 0
    else { return }
    midimetro_screen_resize(Int32(size.ws_row), Int32(size.ws_col))
    shown = nil
  }

  /// Shows `canvas`; curses sends the differences.
  ///
  /// If the terminal was blocked for long, everything is sent again, because it may have lost
  /// output.
  mutating func show(_ canvas: Canvas, at now: HostTime) {
    if writer.takeLongBlockage() {
      shown = nil
      midimetro_screen_redraw()
    }
    let isSameSize = shown?.width == canvas.width && shown?.height == canvas.height
    if !isSameSize { midimetro_screen_erase() }
    for row in 0..<canvas.height {
      var columns: Range<Int>? = 0..<canvas.width
      if isSameSize, let shown { columns = canvas.changes(row: row, since: shown) }
      guard let columns else { continue }
      for run in canvas.runs(row: row, in: columns, isASCII: isASCII) {
        midimetro_screen_style(run.role.style(hasColors: hasColors), hasColors ? run.role.pair : 0)
        unsafe midimetro_screen_put(Int32(row), Int32(run.x), run.text)
      }
    }
    midimetro_screen_show()
    shown = canvas
    writer.add(written())
    writer.flush(at: now)
  }

  /// Whether the terminal has accepted all output and is writable; otherwise drawing is pointless.
  mutating func isReady(at now: HostTime) -> Bool { writer.isReady(at: now) }

  /// When to retry a blocked terminal; `nil` if it is not blocked.
  var retry: HostTime? { writer.retry }

  /// The bytes that curses has written since the last call.
  private func written() -> [UInt8] {
    let count = unsafe midimetro_screen_written(state)
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let taken = unsafe midimetro_screen_take(state, &bytes, count)
    return Array(bytes.prefix(max(0, taken)))
  }

  private mutating func askForPasteMarks(_ isOn: Bool) {
    writer.add(Array(unsafe String(cString: midimetro_screen_paste(state, isOn ? 1 : 0)).utf8))
  }

  /// Restores the terminal; waits for it half a second at most.
  private func giveBack() {
    midimetro_screen_close()
    let bytes = written()
    let isWhole = writer.isEmpty
    let ending = unsafe Array(String(cString: midimetro_screen_paste(state, 0)).utf8) + bytes
    // If the terminal has only part of the last update, the rest is discarded.
    unsafe midimetro_screen_give_back(
      state, isWhole ? ending : nil, Int32(ending.count), 50)
  }

  /// The next key; `nil` if none is pending.
  ///
  /// Does not block.
  mutating func nextKey(at now: HostTime) -> Key? {
    while true {
      let code = unsafe midimetro_screen_key(state)
      guard code >= 0 else { return nil }
      if code == midimetro_key_paste_begins {
        paste.open(at: now)
        hasPasted = true
        continue
      }
      let isEnd = code == midimetro_key_paste_ends
      if paste.swallows(isEnd ? .end : .code(code), at: now) || isEnd { continue }
      if code == 27, skipSequence() { continue }
      if let key = Self.key(code) { return key }
    }
  }

  /// Skips the rest of a control sequence unknown to curses, so that its characters are not read as
  /// keys; returns false if the escape stood alone.
  ///
  /// A terminal sends a sequence all at once, unlike a user pressing keys. Source: ECMA-48 5.4, a
  /// sequence ends with the first of `@` to `~`; SS3 is followed by one character, and so is Alt.
  private func skipSequence() -> Bool {
    let introducer = unsafe midimetro_screen_key(state)
    guard introducer >= 0 else { return false }
    switch introducer {
    // Escape pressed twice.
    case 27: return false
    case 0x5B:
      var code = unsafe midimetro_screen_key(state)
      while (0x20..<0x40).contains(code) { code = unsafe midimetro_screen_key(state) }
    case 0x4F: _ = unsafe midimetro_screen_key(state)
    default: break
    }
    return true
  }

  /// Whether the terminal has been closed since the last call.
  ///
  /// Its input is then ignored, because it would report end of file forever.
  mutating func noticeHangUp() -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    guard !hasHungUp, unsafe poll(&entry, 1, 0) > 0 else { return false }
    hasHungUp = true
    // Replaces the input by a pipe that is never written to: always empty, but without end of file.
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return true }
    dup2(ends[0], descriptor)
    close(ends[0])
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    return true
  }

  /// Restores the terminal temporarily, for example for a suspend.
  mutating func leave() {
    guard isOpen else { return }
    giveBack()
    writer.forget()
    isOpen = false
  }

  /// Takes over the terminal again.
  mutating func comeBack() {
    guard !isOpen else { return }
    isOpen = true
    shown = nil
    unsafe midimetro_screen_reopen(state)
    measure()
    writer.add(written())
    askForPasteMarks(true)
  }

  private static func key(_ code: Int) -> Key? {
    switch code {
    case midimetro_key_up: return .up
    case midimetro_key_down: return .down
    case midimetro_key_left: return .left
    case midimetro_key_right: return .right
    case midimetro_key_shift_up: return .shiftUp
    case midimetro_key_shift_down: return .shiftDown
    case midimetro_key_shift_left: return .shiftLeft
    case midimetro_key_shift_right: return .shiftRight
    case midimetro_key_page_up: return .pageUp
    case midimetro_key_page_down: return .pageDown
    case midimetro_key_enter, 10, 13: return .enter
    case midimetro_key_backspace, 8, 127: return .backspace
    case 9: return .tab
    case 27: return .escape
    case midimetro_key_mouse:
      var row: Int32 = 0
      var column: Int32 = 0
      switch unsafe midimetro_screen_mouse(&row, &column) {
      case 1: return .press(x: Int(column), y: Int(row))
      case 2: return .wheelUp
      case 3: return .wheelDown
      default: return nil
      }
    case 32..<0x110000:
      return Unicode.Scalar(UInt32(code)).map { .character(Character($0)) }
    default: return nil
    }
  }
}

extension Canvas.Role {
  fileprivate var pair: Int16 {
    Int16(rawValue) + 1
  }

  /// The curses numbers of the eight colours; -1 for the terminal's default.
  fileprivate var colour: Int16 {
    switch self {
    case .plain, .title, .selected, .faint: -1
    case .strong: 1
    case .medium: 3
    case .weak: 4
    case .lit: 2
    case .warning: 1
    case .good: 2
    case .key: 6
    }
  }

  /// Attributes that make the role recognisable without colours.
  fileprivate func style(hasColors: Bool) -> Int32 {
    switch self {
    case .plain, .weak, .medium, .strong: 0
    case .faint: midimetro_dim
    case .title, .lit, .good: midimetro_bold
    case .selected: midimetro_reverse
    case .warning: midimetro_bold
    case .key: hasColors ? 0 : midimetro_bold
    }
  }
}
