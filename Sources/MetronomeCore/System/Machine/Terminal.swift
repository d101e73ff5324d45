internal import Glibc

/// The terminal of the standard output; for `doctor`.
public struct Terminal: Hashable, Sendable {
  /// Width in characters.
  public var columns: Int
  /// Height in lines.
  public var rows: Int

  /// Creates a terminal size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The terminal of the standard output; `nil` if that is not a terminal.
  ///
  /// Source: `isatty`, `TIOCGWINSZ`; a size of 0 if the terminal does not report it.
  public static var ofStandardOutput: Terminal? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    unsafe _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return Terminal(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
