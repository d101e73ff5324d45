/// A key or a click, whatever terminal it came from.
enum Key: Hashable, Sendable {
  case character(Character)
  case up, down, left, right
  case shiftUp, shiftDown, shiftLeft, shiftRight
  case pageUp, pageDown
  case enter, escape, backspace, tab
  /// Pressed on a cell.
  case press(x: Int, y: Int)
  case wheelUp, wheelDown
}
