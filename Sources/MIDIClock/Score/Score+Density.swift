extension Score {
  /// The largest number of passages and ramp ends that begin within any `span` of the song.
  ///
  /// Takes linear time.
  func density(within span: HostTime.Span) -> Int {
    guard passages.count > 1 || passages[0].ramp != nil else { return 1 }
    let segments = tempoMap().segments
    var (most, first) = (0, 0)
    for (index, segment) in segments.enumerated() {
      while span < segment.time - segments[first].time { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }
}
