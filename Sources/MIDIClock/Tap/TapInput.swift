/// What each message from pads and pedals means: a tap, something else to do, or nothing.
public struct TapInput: Sendable {
  /// What a message means.
  public enum Meaning: Hashable, Sendable {
    /// A tap.
    case tap
    /// The release of something that taps.
    case release
    /// A hit that was not chosen to tap.
    case filtered
    /// This key, which clicks are sent as: a click come back, or a pad that cannot be told from one.
    case ownClick(PadHit)
    /// A press of a pad that does this.
    case control(PadControls.Action)
  }

  private var pads = PadReader()
  /// Which hits are taps.
  public var filter: TapFilter
  /// What pads do besides.
  public var controls: PadControls

  /// Taps by `filter`, but for the pads that `controls` bind.
  public init(filter: TapFilter = TapFilter(), controls: PadControls = PadControls()) {
    self.filter = filter
    self.controls = controls
  }

  /// What `message` from the port numbered `port` means; `nil` when it is no hit at all, or the
  /// release of a pad that does not tap.
  ///
  /// `canTap` is false for a port that was named for its controls alone.
  public mutating func judge(_ message: MIDIMessage, from port: Int32, canTap: Bool = true)
    -> Meaning?
  {
    guard let hit = pads.read(message, from: port) else { return nil }
    switch controls.action(of: hit) {
    case .tap?: return hit.isPress ? .tap : .release
    case let action?: return hit.isPress ? .control(action) : nil
    case nil:
      guard canTap else { return nil }
      switch filter.judge(hit) {
      case .tap: return .tap
      case .release: return .release
      // A slider that is moved is no attempt to tap, and neither is a release.
      case .filtered: return hit.isPress ? .filtered : nil
      case .ownClick: return hit.isPress ? .ownClick(hit) : nil
      }
    }
  }
}
