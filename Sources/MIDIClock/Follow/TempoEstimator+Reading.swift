extension TempoEstimator {
  /// The estimate as a reading stamped `stamp`; `nil` without a tempo.
  @_noLocks
  mutating func reading(at stamp: HostTime) -> FollowerReport.TempoReading? {
    guard let bpm, let uncertainty else { return nil }
    return FollowerReport.TempoReading(
      stamp: stamp, bpm: bpm, rawBPM: rawBPM, uncertainty: uncertainty, jitter: jitter,
      windowLength: windowLength)
  }
}
