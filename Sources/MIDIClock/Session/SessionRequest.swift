/// A request that results from an action.
public enum SessionRequest: Hashable, Sendable {
  /// Changes the plan.
  case change(PlanChange)
  /// Records a tap at the instant it arrived.
  case tap
  /// Changes the volume by percentage points.
  case volume(step: Int64)
  /// Selects the next set of click sounds.
  case soundSet
  /// Ends every note.
  case panic
  /// Saves the settings under this name.
  case save(String)
  /// Ends the session.
  case quit
}
