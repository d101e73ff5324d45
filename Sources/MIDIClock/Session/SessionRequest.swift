/// What an action comes to.
public enum SessionRequest: Hashable, Sendable {
  /// A change of the plan.
  case change(PlanChange)
  /// A tap, at the instant it came.
  case tap
  /// The sound's volume, in percent, by this much.
  case volume(step: Int64)
  /// The next set of click sounds.
  case soundSet
  /// End every note.
  case panic
  /// Keep the settings under this name.
  case save(String)
  /// End the session.
  case quit
}
