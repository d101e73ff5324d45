/// A part of the song as it is played: which one, which time, and from where.
///
/// The tick counts what is played and never goes back; a part that is played again is another
/// stretch of ticks, with the same index and the next pass.
public struct PlayedPart: Hashable, Sendable {
  /// Its place in `Score.parts`.
  public var index: Int
  /// Which time it is played, from 1.
  public var pass: Int
  /// Where this pass begins.
  public var start: Tick

  /// Part `index` for the time `pass`, from `start` on.
  @_noLocks
  public init(index: Int, pass: Int = 1, start: Tick) {
    self.index = index
    self.pass = pass
    self.start = start
  }
}
