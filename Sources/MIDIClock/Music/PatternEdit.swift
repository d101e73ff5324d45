/// An edit of the present click pattern, whatever that is when it is made.
public enum PatternEdit: Hashable, Sendable {
  /// This meter with its own accents.
  case meter(Meter)
  /// As many places on in `Meter.choice`, round and round; a meter that is not among them comes last.
  case meterStep(Int)
  /// The accent of a beat, counted from 1, as many places on in the order silent, weak, medium,
  /// strong, round and round.
  case accent(beat: Int64, step: Int)
  /// More or fewer clicks a beat, 1 to 24; an odd number is straight.
  case subdivision(step: Int64)
  /// More or less swing, in thousandths of a percent, 50 000 to 75 000.
  case swing(step: Int64)
}
