/// A stretch of sound of two sides, -1 to 1.
struct StereoFrames {
  var left: [Float]
  var right: [Float]

  /// How many frames.
  var count: Int { left.count }

  /// The loudest sample of either side.
  var peak: Float { (left + right).reduce(0) { max($0, $1.magnitude) } }

  mutating func append(_ other: StereoFrames) {
    left += other.left
    right += other.right
  }

  /// Without the frames before it begins to sound, which are at most `limit`, and those after it.
  ///
  /// 60 dB below the loudest is silence.
  func fromOnset(within limit: Int) -> StereoFrames {
    let silence = peak / 1_000
    let isHeard = { (index: Int) in
      left[index].magnitude > silence || right[index].magnitude > silence
    }
    let first = min(limit, left.indices.first(where: isHeard) ?? 0)
    let last = left.indices.last(where: isHeard) ?? 0
    return StereoFrames(left: Array(left[first...last]), right: Array(right[first...last]))
  }
}
