/// An instant on the machine's monotonic clock, in nanoseconds.
///
/// The zero is whatever the clock's zero is; a plan that is not tied to a machine (`--dry-run`)
/// counts from its own pulse 0. Range: about 292 years either way.
public struct HostTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since the clock's zero.
  public var nanoseconds: Int64

  /// The instant `nanoseconds` after the clock's zero.
  @_noLocks
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The clock's zero.
  public static var zero: HostTime { @_noLocks get { HostTime(nanoseconds: 0) } }

  /// Later than anything that will happen; half the range, so that offsets cannot overflow it.
  public static var distantFuture: HostTime {
    @_noLocks get { HostTime(nanoseconds: Int64.max / 2) }
  }

  /// True when `left` comes first.
  @_noLocks
  public static func < (left: HostTime, right: HostTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// True when both are the same.
  @_noLocks
  public static func == (left: HostTime, right: HostTime) -> Bool {
    left.nanoseconds == right.nanoseconds
  }

  /// True when `left` does not come before `right`.
  @_noLocks
  public static func >= (left: HostTime, right: HostTime) -> Bool {
    left.nanoseconds >= right.nanoseconds
  }

  /// The instant `span` after `instant`.
  @_noLocks
  public static func + (instant: HostTime, span: Span) -> HostTime {
    HostTime(nanoseconds: instant.nanoseconds &+ span.nanoseconds)
  }

  /// The instant `span` before `instant`.
  @_noLocks
  public static func - (instant: HostTime, span: Span) -> HostTime {
    HostTime(nanoseconds: instant.nanoseconds &- span.nanoseconds)
  }

  /// How long after `right` the instant `left` is.
  @_noLocks
  public static func - (left: HostTime, right: HostTime) -> Span {
    Span(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }
}

extension HostTime {
  /// A length of time in nanoseconds; negative means earlier.
  public struct Span: Hashable, Comparable, Sendable {
    /// The length in nanoseconds.
    public var nanoseconds: Int64

    /// A length of `nanoseconds`.
    @_noLocks
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// A length of whole microseconds.
    @_noLocks
    public static func microseconds(_ count: Int64) -> Span { Span(nanoseconds: count &* 1_000) }

    /// A length of whole milliseconds.
    @_noLocks
    public static func milliseconds(_ count: Int64) -> Span {
      Span(nanoseconds: count &* 1_000_000)
    }

    /// A length of whole seconds.
    @_noLocks
    public static func seconds(_ count: Int64) -> Span { Span(nanoseconds: count &* 1_000_000_000) }

    /// No time at all.
    public static var zero: Span { @_noLocks get { Span(nanoseconds: 0) } }

    /// True when `left` is shorter, or more negative.
    @_noLocks
    public static func < (left: Span, right: Span) -> Bool { left.nanoseconds < right.nanoseconds }

    /// True when both are the same.
    @_noLocks
    public static func == (left: Span, right: Span) -> Bool {
      left.nanoseconds == right.nanoseconds
    }

    /// True when `left` is not shorter.
    @_noLocks
    public static func >= (left: Span, right: Span) -> Bool {
      left.nanoseconds >= right.nanoseconds
    }

    /// Both lengths together.
    @_noLocks
    public static func + (left: Span, right: Span) -> Span {
      Span(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }

    /// What is left of `left` after `right`.
    @_noLocks
    public static func - (left: Span, right: Span) -> Span {
      Span(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    /// The same length the other way.
    @_noLocks
    public static prefix func - (span: Span) -> Span { Span(nanoseconds: 0 &- span.nanoseconds) }
  }
}
