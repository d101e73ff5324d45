internal import MetronomeCore

/// The list of ports to connect and disconnect, as it lies over the screen.
struct PortList: Hashable, Sendable {
  /// Those there are, and those that have gone.
  private(set) var connectablePorts: [ConnectablePort] = []
  /// The one that a key is about, counted from 0.
  private(set) var chosen = 0

  /// The one that a key is about; `nil` when there is none.
  var present: ConnectablePort? {
    connectablePorts.indices.contains(chosen) ? connectablePorts[chosen] : nil
  }

  /// Takes in what there is now; the one chosen stays so wherever it stands by then.
  mutating func replace(_ new: [ConnectablePort]) {
    let before = present
    connectablePorts = new
    let same = before.flatMap { before in new.firstIndex { $0.isSame(as: before) } }
    chosen = same ?? min(chosen, max(0, new.count - 1))
  }

  /// Goes `step` lines down, as far as there are any.
  mutating func move(by step: Int) { choose(chosen + step) }

  /// Goes to line `index`, or the nearest there is.
  mutating func choose(_ index: Int) {
    chosen = min(max(0, index), max(0, connectablePorts.count - 1))
  }

  /// The first line to be shown in `rows`, so that the chosen one is in sight.
  func first(of rows: Int) -> Int {
    max(0, min(chosen - rows / 2, connectablePorts.count - rows))
  }
}
