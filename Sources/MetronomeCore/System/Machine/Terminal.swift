internal import Glibc

/// The terminal that the standard output goes to; for `doctor`.
public struct Terminal: Hashable, Sendable {
  /// Its size in characters.
  public var columns: Int
  /// Its size in lines.
  public var rows: Int

  /// A terminal of that size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The terminal of the standard output; `nil` when that is none.
  ///
  /// Source: `isatty`, `TIOCGWINSZ`; a size of 0 where the terminal does not know.
  public static var ofStandardOutput: Terminal? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    unsafe _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return Terminal(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
