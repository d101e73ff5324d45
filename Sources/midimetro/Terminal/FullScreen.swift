internal import CScreen
internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// The terminal as a full screen, through ncurses.
///
/// One at a time, on the main thread. ncurses writes into memory and knows of no terminal, which it
/// would wait for; the bytes go on through a `TerminalWriter`, which waits for none. The terminal is
/// given back when the value goes, and by a handler when the program crashes.
@safe struct FullScreen: ~Copyable {
  /// What keys come from.
  let descriptor = STDIN_FILENO
  let symbols: Symbols
  /// Whether the locale has no other letters.
  private let isASCII: Bool
  private let hasColors: Bool
  private var isOpen = true
  /// Whether nobody will ever press a key again.
  private(set) var hasHungUp = false
  /// Whether something was pasted since this was last made false.
  var hasPasted = false
  private var paste = PasteGate()
  private var writer: TerminalWriter
  private let state: OpaquePointer
  /// What curses has been told; `nil` when it must be told anew.
  private var shown: Canvas?

  /// Whether the terminal of `TERM` can show a screen: it is known and its cursor can be moved.
  ///
  /// Asked once: what curses has of the terminal is not read again under a screen that is shown.
  static let isPossible = midimetro_screen_is_possible() != 0

  /// Takes the terminal over; `nil` where it cannot show a screen (`TERM` unknown or dumb).
  ///
  /// `isColourless` is whether `NO_COLOR` asks for no colours (source: no-color.org), `isASCII`
  /// whether plain ASCII was asked for.
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

  /// In a crash, copies what can be read from `pipe` to `original`: the last words on the standard
  /// error stream say what crashed.
  func onCrashCopy(from pipe: Int32, to original: Int32) {
    unsafe midimetro_screen_copy_on_crash(state, pipe, original)
  }

  /// Columns and rows.
  var size: (width: Int, height: Int) {
    (Int(midimetro_screen_columns()), Int(midimetro_screen_rows()))
  }

  /// Asks the terminal for its size anew; source: `TIOCGWINSZ`.
  mutating func measure() {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0,
      size.ws_col > 0
    else { return }
    midimetro_screen_resize(Int32(size.ws_row), Int32(size.ws_col))
    shown = nil
  }

  /// Shows `canvas`; curses sends what differs from what is there.
  ///
  /// After the terminal has taken nothing for long everything is sent anew, as it may have lost what
  /// it was given.
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

  /// Whether the terminal has taken all it was given, and takes more: else there is no use in showing
  /// it anything.
  mutating func isReady(at now: HostTime) -> Bool { writer.isReady(at: now) }

  /// When to try a terminal that takes nothing just now again; `nil` when there is no need.
  var retry: HostTime? { writer.retry }

  /// What curses has written since the last call.
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

  /// Gives the terminal back, for which it waits half a second at most.
  private func giveBack() {
    midimetro_screen_close()
    let bytes = written()
    let isWhole = writer.isEmpty
    let ending = unsafe Array(String(cString: midimetro_screen_paste(state, 0)).utf8) + bytes
    // A picture of which the terminal has a part stays a part.
    unsafe midimetro_screen_give_back(
      state, isWhole ? ending : nil, Int32(ending.count), 50)
  }

  /// The next key; `nil` when none is waiting, for which it does not wait.
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

  /// Reads past the rest of a control sequence that curses does not know, so that its letters are
  /// not taken for keys; false when an escape stood alone.
  ///
  /// What a terminal sends comes at once, a hand's next key does not. Source: ECMA-48 5.4, a
  /// sequence ends with the first of `@` to `~`; SS3 takes one letter, as Alt does.
  private func skipSequence() -> Bool {
    let introducer = unsafe midimetro_screen_key(state)
    guard introducer >= 0 else { return false }
    switch introducer {
    // Hit twice.
    case 27: return false
    case 0x5B:
      var code = unsafe midimetro_screen_key(state)
      while (0x20..<0x40).contains(code) { code = unsafe midimetro_screen_key(state) }
    case 0x4F: _ = unsafe midimetro_screen_key(state)
    default: break
    }
    return true
  }

  /// Whether the terminal is found to have gone; it is then listened to no more, as the end of its
  /// input would be told for ever.
  mutating func noticeHangUp() -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    guard !hasHungUp, unsafe poll(&entry, 1, 0) > 0 else { return false }
    hasHungUp = true
    // The input of a pipe that is open and never written to: nothing to read, and no end.
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return true }
    dup2(ends[0], descriptor)
    close(ends[0])
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    return true
  }

  /// Gives the terminal back for a while, as before a suspend.
  mutating func leave() {
    guard isOpen else { return }
    giveBack()
    writer.forget()
    isOpen = false
  }

  /// Takes it over again.
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

  /// curses' numbers of the eight colours; -1 for the terminal's own.
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

  /// What says the same without colours too.
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
