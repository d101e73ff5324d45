internal import Glibc
internal import MIDIClock

extension timespec {
  /// The instant as the kernel takes it; before the clock's zero counts as the zero.
  init(_ instant: HostTime) {
    let nanoseconds = instant.nanoseconds > 0 ? instant.nanoseconds : 0
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
