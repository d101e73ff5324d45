internal import MIDIClock
internal import MetronomeCore

// The spots, one a beat, and their numbers.

extension ScreenLayout {
  /// A row of spots, one a beat, as large as the room allows and sized by accent.
  mutating func spots(row: Int, height: Int) {
    let meter = state.pattern.meter
    let beats = Int(meter.beats)
    let slot = slot(height)
    let start = max(0, (width - slot * beats) / 2)
    for beat in 0..<beats {
      let x = start + beat * slot
      let number = Int64(beat + 1)
      let accent = state.pattern.accent(ofClick: Int64(beat) * state.pattern.subdivision)
      let isLit = state.litBeat == number
      let isChosen = state.chosenBeat == number
      let inner = max(1, slot - (slot > 3 ? 2 : slot > 1 ? 1 : 0))
      let (share, role): (Int, Canvas.Role) =
        switch accent {
        case .strong: (3, .strong)
        case .medium: (2, .medium)
        case .weak: (1, .weak)
        case .silent: (0, .faint)
        }
      // The one that runs is a size larger, to be seen from afar whatever its accent.
      let size = isLit ? min(3, share + 1) : max(1, share)
      let tall = max(1, (height * size + 2) / 3)
      let wide = max(1, (inner * size + 2) / 3)
      let left = x + (slot - wide) / 2
      let top = row + (height - tall + 1) / 2
      let mark: Unicode.Scalar =
        isLit ? symbols.full : accent == .silent ? symbols.silent : symbols.shade
      if accent == .silent, !isLit {
        canvas.put(String(mark), x: x + slot / 2, y: row + height / 2, isChosen ? .selected : role)
      } else {
        canvas.fill(
          x: left, y: top, width: wide, height: tall, mark,
          isChosen ? .selected : isLit ? .lit : role)
      }
      if state.job != .tap, state.job != .monitor {
        target(x: x, y: row, width: slot, height: height + 1, .action(.accent(number)))
      }
      // Clicks between the beats, as they come.
      if isLit, state.pattern.subdivision > 1, slot >= 3 {
        let parts = Int(min(state.pattern.subdivision, Int64(slot - 1)))
        let come = min(Int(state.part) + 1, parts)
        canvas.put(
          String(repeating: symbols.dots, count: come), x: x + (slot - parts) / 2,
          y: row + height - 1, .selected)
      }
    }
  }

  mutating func numbers(row: Int, spots height: Int) {
    let beats = Int(state.pattern.meter.beats)
    let slot = slot(height)
    let start = max(0, (width - slot * beats) / 2)
    for beat in 1...beats where String(beat).count < slot {
      let isGroup = state.pattern.meter.beginsGroup(Int64(beat - 1))
      canvas.put(
        String(beat), centredFrom: start + (beat - 1) * slot, width: slot, y: row,
        state.chosenBeat == Int64(beat) ? .selected : isGroup ? .plain : .faint)
    }
  }

  /// Columns that one beat gets in spots of `height` rows: cells are twice as high as wide.
  private func slot(_ height: Int) -> Int {
    max(1, min((width - 2) / Int(state.pattern.meter.beats), 4 * height + 6))
  }
}
