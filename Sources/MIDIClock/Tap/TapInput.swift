/// Interprets each message from pads and pedals: a tap, another function, or nothing.
public struct TapInput: Sendable {
  /// The meaning of a message.
  public enum Meaning: Hashable, Sendable {
    /// A tap.
    case tap
    /// The release of a control that taps.
    case release
    /// A hit not chosen to tap.
    case filtered
    /// A key also used for clicks: a click fed back, or a pad that cannot be distinguished from
    /// one.
    case ownClick(PadHit)
    /// A press of a pad with this function.
    case control(PadControls.Action)
  }

  private var pads = PadReader()
  /// Decides which hits are taps.
  public var filter: TapFilter
  /// The functions of pads other than tapping.
  public var controls: PadControls

  /// Interprets hits by `filter`, except for the pads bound in `controls`.
  public init(filter: TapFilter = TapFilter(), controls: PadControls = PadControls()) {
    self.filter = filter
    self.controls = controls
  }

  /// The meaning of `message` from the port numbered `port`; `nil` if it is not a hit, or is the
  /// release of a pad that does not tap.
  ///
  /// `canTap` is false for a port chosen for its controls only.
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
      // Moving a slider is not an attempt to tap, and neither is a release.
      case .filtered: return hit.isPress ? .filtered : nil
      case .ownClick: return hit.isPress ? .ownClick(hit) : nil
      }
    }
  }
}
