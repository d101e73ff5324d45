internal import MIDIClock
internal import MetronomeCore

/// What a running session tells, the same to everyone who shows it.
enum SessionEvent {
  case engine(EngineReport.Kind)
  case follower(FollowerReport)
  case connection(ConnectionNotice, ConnectionNotice.Role)
  /// Whose clock is followed.
  case source(port: String, name: String)
  /// Another port that clocks.
  case otherSource(String)
  /// A message refused by the destination of that name, or by our own ports.
  case refused(String?, code: Int32)
  case tap(TapEstimator.Verdict, TapEstimator)
  /// A hit that does not tap, and why.
  case ignoredHit(String)
  case ownClick(PadHit)
  case control(PadControls.Action)
  case sound(SoundNews)
  case warning(String)
  /// What became of a change, and the state by then.
  case outcome(ChangeOutcome, SessionState)
  /// The end, and what there was.
  case played(EngineTally, DispatchSelection, Tempo)
  case followed(FollowTally)
}
