/// An edit of the click pattern that is current when the edit is applied.
public enum PatternEdit: Hashable, Sendable {
  /// Sets the meter, with its own accents.
  case meter(Meter)
  /// Moves this many places forward in `Meter.choice`, cyclically; a meter that is not in it counts
  /// as last.
  case meterStep(Int)
  /// Moves the accent of a beat, counted from 1, this many places forward in the order silent,
  /// weak, medium, strong, cyclically.
  case accent(beat: Int64, step: Int)
  /// Adds or removes clicks per beat, within 1 to 24; an odd number is straight.
  case subdivision(step: Int64)
  /// Changes the swing by thousandths of a percent, within 50 000 to 75 000.
  case swing(step: Int64)
}
