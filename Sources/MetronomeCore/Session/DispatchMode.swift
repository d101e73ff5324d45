/// The way of dispatch that is wanted.
public enum DispatchMode: String, Hashable, Sendable, CaseIterable {
  /// Precise when real-time scheduling is granted, else queued.
  case auto
  /// Our own thread sends each event at its time.
  case precise
  /// A queue of the kernel sends what it is given some time ahead.
  case queued
}
