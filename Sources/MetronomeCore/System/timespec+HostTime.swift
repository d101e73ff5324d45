internal import Glibc
internal import MIDIClock

extension timespec {
  /// Converts an instant for the kernel; negative times become zero.
  init(_ instant: HostTime) {
    let nanoseconds = instant.nanoseconds > 0 ? instant.nanoseconds : 0
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
