/// A part of the song as played: which part, which pass, and where it starts.
///
/// The tick counts what has been played and never goes back. Repeating a part yields a new stretch
/// of ticks, with the same index and the next pass.
public struct PlayedPart: Hashable, Sendable {
  /// Its index in `Score.parts`.
  public var index: Int
  /// The pass, from 1.
  public var pass: Int
  /// The tick at which this pass begins.
  public var start: Tick

  /// Pass `pass` of part `index`, beginning at `start`.
  @_noLocks
  public init(index: Int, pass: Int = 1, start: Tick) {
    self.index = index
    self.pass = pass
    self.start = start
  }
}
