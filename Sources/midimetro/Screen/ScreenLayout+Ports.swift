internal import MIDIClock
internal import MetronomeCore

// The page of the ports.

extension ScreenLayout {
  /// The ports to connect: the song's state above, an answer and the keys below, where there is room.
  mutating func ports(_ list: PortList) {
    let hasFrame = height >= 6
    let top = hasFrame ? 2 : 0
    let bottom = height - (hasFrame ? 2 : height > 2 ? 1 : 0)
    if hasFrame {
      status(row: 0)
      canvas.put(fit("where to send what is played", width - 2), x: 1, y: 1, .faint)
      answer(row: height - 2)
    }
    let rows = bottom - top
    let first = list.first(of: rows)
    for (row, outlet) in list.connectablePorts.dropFirst(first).prefix(rows).enumerated() {
      let index = first + row
      let (mark, word): (String, String) =
        switch outlet.link {
        case .free: ("[ ]", "")
        case .connected: ("[x]", "connected")
        case .gone: ("[?]", "gone")
        }
      let role: Canvas.Role =
        index == list.chosen ? .selected : outlet.link == .gone ? .warning : .plain
      let room = width - 1 - (width >= 40 && !word.isEmpty ? word.count + 2 : 0)
      let text = "\(mark) \(outlet.address) \(outlet.name)"
      canvas.put(fit(text, max(1, room - 1)), x: 1, y: top + row, role)
      if width >= 40 {
        canvas.put(
          word, endingAt: width - 1, y: top + row, outlet.link == .gone ? .warning : .good)
      }
      target(x: 0, y: top + row, width: width, height: 1, .choosePort(index))
    }
    if list.connectablePorts.isEmpty {
      canvas.put(fit("there is no port to send to", width - 2), x: 1, y: top, .warning)
    }
    let below = list.connectablePorts.count - first - rows
    if below > 0 { canvas.put(" +\(below)", endingAt: width, y: bottom - 1, .faint) }
    if height > 2 { footer() }
  }
}
