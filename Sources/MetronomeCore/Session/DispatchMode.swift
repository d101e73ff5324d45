/// The requested kind of dispatch.
public enum DispatchMode: String, Hashable, Sendable, CaseIterable {
  /// Precise if real-time scheduling is granted, otherwise queued.
  case auto
  /// Our own thread sends each event when it is due.
  case precise
  /// A kernel queue sends events that were scheduled some time ahead.
  case queued
}
