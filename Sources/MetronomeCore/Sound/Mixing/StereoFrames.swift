/// A stereo sound, -1 to 1.
struct StereoFrames {
  var left: [Float]
  var right: [Float]

  /// The number of frames.
  var count: Int { left.count }

  /// The peak of either channel.
  var peak: Float { (left + right).reduce(0) { max($0, $1.magnitude) } }

  mutating func append(_ other: StereoFrames) {
    left += other.left
    right += other.right
  }

  /// Trims the silence before the onset, at most `limit` frames, and at the end.
  ///
  /// Silence is 60 dB below the peak.
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
