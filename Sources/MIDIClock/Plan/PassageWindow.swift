/// The next few passages of the score, from the current one on, in fixed-size storage.
struct PassageWindow {
  private static var capacity: Int { @_noLocks get { 8 } }
  private var passages: [8 of Score.Passage]
  private var first: Int
  private var count: Int
  /// The number of passages in the whole score.
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

  /// The number of the first passage in the window.
  var firstNumber: Int { @_noLocks get { first } }

  /// Passage `number`; `nil` when it is outside the window.
  subscript(number: Int) -> Score.Passage? {
    @_noLocks mutating get {
      let index = number &- first
      return index >= 0 && index < count ? passages[index] : nil
    }
  }

  /// The first passage, which is always in the window.
  var present: Score.Passage { @_noLocks mutating get { passages[0] } }

  /// Whether the score has passages after `number` that are not in the window.
  @_noLocks
  func lacks(after number: Int) -> Bool { number &+ 1 >= first &+ count && number &+ 1 < total }
}
