/// The last 1536 pulses, with least-squares sums over nested windows of them, updated at a fixed
/// cost per pulse.
struct PulseWindows {
  /// The number of windows.
  static var windowCount: Int { @_noLocks get { 16 } }
  private static var capacity: Int { @_noLocks get { 2048 } }
  /// The longest window, which holds all pulses kept.
  static var whole: Int { @_noLocks get { 15 } }

  private var lengths: [16 of Int64] = [
    3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 384, 768, 1536,
  ]
  private var sums: [16 of PulseSums] = .init(repeating: PulseSums())
  private var indices: [2048 of Int64] = .init(repeating: 0)
  private var times: [2048 of Int64] = .init(repeating: 0)
  private var total = 0

  @_noLocks
  init() {}

  /// The number of pulses kept.
  var count: Int64 { @_noLocks mutating get { sums[Self.whole].count } }

  /// The time of the newest pulse, after clipping.
  var newest: HostTime {
    @_noLocks mutating get { HostTime(nanoseconds: times[(total &- 1) & (Self.capacity &- 1)]) }
  }

  /// The length of window `number`.
  @_noLocks
  mutating func length(of number: Int) -> Int64 { lengths[number] }

  /// The line through window `number`.
  @_noLocks
  mutating func line(_ number: Int) -> PulseLine { PulseLine(sums[number]) }

  /// The line through all pulses kept, with prior knowledge of the period.
  @_noLocks
  mutating func line(period: Double, weight: Double) -> PulseLine {
    PulseLine(sums[Self.whole], period: period, weight: weight)
  }

  /// The window of exactly `length` pulses; `nil` if there is none, or fewer pulses are kept.
  @_noLocks
  mutating func number(ofLength length: Int) -> Int? {
    guard length <= count else { return nil }
    var number = 0
    while number < Self.windowCount {
      if lengths[number] == length { return number }
      number &+= 1
    }
    return nil
  }

  /// The line through the pulses older than window `number`; `nil` for fewer than eight.
  ///
  /// Its phase is that at the newest pulse's index.
  @_noLocks
  mutating func line(before number: Int) -> PulseLine? {
    let older = sums[Self.whole].without(sums[number])
    return older.count < 8 ? nil : PulseLine(older)
  }

  @_noLocks
  private mutating func slot(back: Int64) -> Int {
    (total &- 1 &- Int(truncatingIfNeeded: back)) & (Self.capacity &- 1)
  }

  /// Adds a pulse `step` indices after the newest, at `time`.
  @_noLocks
  mutating func append(step: Int64, time: HostTime) {
    let last = slot(back: 0)
    let span = time.nanoseconds &- times[last]
    let index = indices[last] &+ step
    total &+= 1
    let new = slot(back: 0)
    indices[new] = index
    times[new] = time.nanoseconds
    for number in 0..<Self.windowCount {
      sums[number].append(step: step, span: span)
      if sums[number].count > lengths[number] {
        let old = slot(back: lengths[number])
        sums[number].drop(indices[old] &- index, times[old] &- time.nanoseconds)
      }
    }
  }

  /// Moves the newest pulse to `time`.
  @_noLocks
  mutating func moveNewest(to time: HostTime) {
    let new = slot(back: 0)
    let span = time.nanoseconds &- times[new]
    times[new] = time.nanoseconds
    for number in 0..<Self.windowCount { sums[number].moveNewest(by: span) }
  }

  /// Moves the pulse `back` before the newest to `time`.
  ///
  /// Call `keep` afterwards to rebuild the sums.
  @_noLocks
  mutating func correct(back: Int64, to time: HostTime) {
    times[slot(back: back)] = time.nanoseconds
  }

  /// The number of pulses since a tempo change that happened about one length of window `number`
  /// ago.
  ///
  /// The change is where the line through those pulses meets the line through the earlier ones.
  @_noLocks
  mutating func lengthSinceBend(at number: Int) -> Int64 {
    let length = lengths[number]
    let older = sums[Self.whole].without(sums[number])
    guard older.count >= 8 else { return length }
    let before = PulseLine(older)
    let after = PulseLine(sums[number])
    let change = after.period - before.period
    guard change != 0 else { return length }
    // The pulse at the bend lies on both lines, so it is left out.
    let since = Real.nearest((after.phase - before.phase) / change) &- 1
    let least = length / 2 < 4 ? 4 : length / 2
    let all = sums[Self.whole].count
    let most = length &+ length / 2 < all ? length &+ length / 2 : all
    return since < least ? least : since > most ? most : since
  }

  /// Discards all but the newest `wanted` pulses and rebuilds the sums.
  @_noLocks
  mutating func keep(newest wanted: Int64) {
    var sum = PulseSums()
    var number = 0
    let new = slot(back: 0)
    var back: Int64 = 0
    while back < wanted {
      let old = slot(back: back)
      sum.extend(indices[old] &- indices[new], times[old] &- times[new])
      back &+= 1
      if number < Self.windowCount, back == lengths[number] {
        sums[number] = sum
        number &+= 1
      }
    }
    while number < Self.windowCount {
      sums[number] = sum
      number &+= 1
    }
  }

  /// Restarts with one pulse at `time`.
  @_noLocks
  mutating func begin(at time: HostTime) {
    total &+= 1
    let new = slot(back: 0)
    indices[new] = 0
    times[new] = time.nanoseconds
    keep(newest: 1)
  }
}
