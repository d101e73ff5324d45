/// Sums over the newest pulses; indices and times are relative to the newest.
///
/// They are integers, so moving the origin with each pulse is exact and no error accumulates.
struct PulseSums {
  /// The number of pulses.
  var count: Int64 = 0
  /// Sum of the indices k, all 0 or negative.
  var index: Int64 = 0
  /// Sum of k x k.
  var square: Int64 = 0
  /// Sum of the times y, in nanoseconds.
  var time: Int64 = 0
  /// Sum of k x y.
  var product: Int64 = 0

  @_noLocks
  init() {}

  /// Adds a new pulse, `step` indices and `span` nanoseconds after the previous one.
  @_noLocks
  mutating func append(step: Int64, span: Int64) {
    product =
      product &- step &* time &- span &* index &+ count &* step &* span
    square = square &- 2 &* step &* index &+ count &* step &* step
    index = index &- count &* step
    time = time &- count &* span
    count = count &+ 1
  }

  /// Removes the pulse at index `k` and time `y`.
  @_noLocks
  mutating func drop(_ k: Int64, _ y: Int64) {
    count = count &- 1
    index = index &- k
    square = square &- k &* k
    time = time &- y
    product = product &- k &* y
  }

  /// Adds an older pulse at index `k` and time `y`.
  @_noLocks
  mutating func extend(_ k: Int64, _ y: Int64) {
    count = count &+ 1
    index = index &+ k
    square = square &+ k &* k
    time = time &+ y
    product = product &+ k &* y
  }

  /// The sums over the older pulses only, without `newer`.
  @_noLocks
  func without(_ newer: PulseSums) -> PulseSums {
    var older = self
    older.count &-= newer.count
    older.index &-= newer.index
    older.square &-= newer.square
    older.time &-= newer.time
    older.product &-= newer.product
    return older
  }

  /// Moves the newest pulse by `span` nanoseconds.
  @_noLocks
  mutating func moveNewest(by span: Int64) {
    time = time &- (count &- 1) &* span
    product = product &- span &* index
  }
}
