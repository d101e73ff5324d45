/// The passages of the score from the present one on: as many as fit a fixed room.
struct PassageWindow {
  private static var capacity: Int { @_noLocks get { 8 } }
  private var passages: [8 of Score.Passage]
  private var first: Int
  private var count: Int
  /// How many passages the whole score has.
  let total: Int

  init(of score: Score, from number: Int) {
    passages = .init(repeating: score.passages[0])
    first = 0
    count = 0
    total = score.passages.count
    slide(to: number, of: score)
  }

  /// Copies the passages from `number` on.
  mutating func slide(to number: Int, of score: Score) {
    first = number
    count = min(Self.capacity, total - number)
    for index in 0..<count { passages[index] = score.passages[number + index] }
  }

  /// The number of the first passage held.
  var firstNumber: Int { @_noLocks get { first } }

  /// Passage `number`, when it is held.
  subscript(number: Int) -> Score.Passage? {
    @_noLocks mutating get {
      let index = number &- first
      return index >= 0 && index < count ? passages[index] : nil
    }
  }

  /// The passage at the window's beginning, which always is held.
  var present: Score.Passage { @_noLocks mutating get { passages[0] } }

  /// Whether passages beyond `number` exist that are not held.
  @_noLocks
  func lacks(after number: Int) -> Bool { number &+ 1 >= first &+ count && number &+ 1 < total }
}
