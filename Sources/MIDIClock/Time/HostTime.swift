/// An instant on the machine's monotonic clock, in nanoseconds.
///
/// Zero is the clock's own zero; a plan that is not tied to a machine (`--dry-run`) counts from its
/// pulse 0. Range: about 292 years either way.
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

  /// True if `left` is earlier.
  @_noLocks
  public static func < (left: HostTime, right: HostTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// True if both are equal.
  @_noLocks
  public static func == (left: HostTime, right: HostTime) -> Bool {
    left.nanoseconds == right.nanoseconds
  }

  /// True if `left` is not earlier than `right`.
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

  /// The time from `right` to `left`.
  @_noLocks
  public static func - (left: HostTime, right: HostTime) -> Span {
    Span(nanoseconds: left.nanoseconds &- right.nanoseconds)
  }
}

extension HostTime {
  /// A duration in nanoseconds; negative means earlier.
  public struct Span: Hashable, Comparable, Sendable {
    /// The duration in nanoseconds.
    public var nanoseconds: Int64

    /// A duration of `nanoseconds`.
    @_noLocks
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// A duration of whole microseconds.
    @_noLocks
    public static func microseconds(_ count: Int64) -> Span { Span(nanoseconds: count &* 1_000) }

    /// A duration of whole milliseconds.
    @_noLocks
    public static func milliseconds(_ count: Int64) -> Span {
      Span(nanoseconds: count &* 1_000_000)
    }

    /// A duration of whole seconds.
    @_noLocks
    public static func seconds(_ count: Int64) -> Span { Span(nanoseconds: count &* 1_000_000_000) }

    /// A duration of zero.
    public static var zero: Span { @_noLocks get { Span(nanoseconds: 0) } }

    /// True if `left` is shorter, or more negative.
    @_noLocks
    public static func < (left: Span, right: Span) -> Bool { left.nanoseconds < right.nanoseconds }

    /// True if both are equal.
    @_noLocks
    public static func == (left: Span, right: Span) -> Bool {
      left.nanoseconds == right.nanoseconds
    }

    /// True if `left` is not shorter.
    @_noLocks
    public static func >= (left: Span, right: Span) -> Bool {
      left.nanoseconds >= right.nanoseconds
    }

    /// The sum of two durations.
    @_noLocks
    public static func + (left: Span, right: Span) -> Span {
      Span(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }

    /// The difference of two durations.
    @_noLocks
    public static func - (left: Span, right: Span) -> Span {
      Span(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    /// The negated duration.
    @_noLocks
    public static prefix func - (span: Span) -> Span { Span(nanoseconds: 0 &- span.nanoseconds) }
  }
}
