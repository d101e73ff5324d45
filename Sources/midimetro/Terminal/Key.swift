/// A key or a mouse event, independent of the terminal.
enum Key: Hashable, Sendable {
  case character(Character)
  case up, down, left, right
  case shiftUp, shiftDown, shiftLeft, shiftRight
  case pageUp, pageDown
  case enter, escape, backspace, tab
  /// A mouse press on a cell.
  case press(x: Int, y: Int)
  case wheelUp, wheelDown
}
