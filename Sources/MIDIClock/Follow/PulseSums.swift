/// Sums over the newest pulses, seen from the newest: indices and times count back from it.
///
/// Whole numbers, so moving the viewpoint with each pulse rounds nothing and nothing accumulates.
struct PulseSums {
  /// How many pulses.
  var count: Int64 = 0
  /// Sum of the indices k, each 0 or less.
  var index: Int64 = 0
  /// Sum of k x k.
  var square: Int64 = 0
  /// Sum of the times y, nanoseconds.
  var time: Int64 = 0
  /// Sum of k x y.
  var product: Int64 = 0

  @_noLocks
  init() {}

  /// Adds a newest pulse, `step` indices and `span` nanoseconds after the one before.
  @_noLocks
  mutating func append(step: Int64, span: Int64) {
    product =
      product &- step &* time &- span &* index &+ count &* step &* span
    square = square &- 2 &* step &* index &+ count &* step &* step
    index = index &- count &* step
    time = time &- count &* span
    count = count &+ 1
  }

  /// Takes away the pulse at `k`, `y`.
  @_noLocks
  mutating func drop(_ k: Int64, _ y: Int64) {
    count = count &- 1
    index = index &- k
    square = square &- k &* k
    time = time &- y
    product = product &- k &* y
  }

  /// Adds an older pulse at `k`, `y`.
  @_noLocks
  mutating func extend(_ k: Int64, _ y: Int64) {
    count = count &+ 1
    index = index &+ k
    square = square &+ k &* k
    time = time &+ y
    product = product &+ k &* y
  }

  /// The sums over the older pulses alone, `newer` taken away.
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
