internal import MIDIClock
internal import MetronomeCore

/// An event of a running session, the same for all observers.
enum SessionEvent {
  case engine(EngineReport.Kind)
  case follower(FollowerReport)
  case connection(ConnectionNotice, ConnectionNotice.Role)
  /// The source whose clock is followed.
  case source(port: String, name: String)
  /// Another port that sends a clock.
  case otherSource(String)
  /// A message that the destination of that name refused; `nil` for our own ports.
  case refused(String?, code: Int32)
  case tap(TapEstimator.Verdict, TapEstimator)
  /// A hit that is not a tap, and the reason.
  case ignoredHit(String)
  case ownClick(PadHit)
  case control(PadControls.Action)
  case sound(SoundNews)
  case warning(String)
  /// The outcome of a change, and the state afterwards.
  case outcome(ChangeOutcome, SessionState)
  /// The end, with the totals.
  case played(EngineTally, DispatchSelection, Tempo)
  case followed(FollowTally)
}
