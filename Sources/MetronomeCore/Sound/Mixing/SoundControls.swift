internal import Synchronization

/// Live settings and counters, shared between threads.
final class SoundControls: Sendable {
  /// Thousandths of full level, 0 to 2000.
  let volume: Atomic<Int>
  /// The bank of the voices.
  let bank: Atomic<Int>
  let clicks = Atomic<Int>(0)
  let late = Atomic<Int>(0)
  let missed = Atomic<Int>(0)
  let interruptions = Atomic<Int>(0)
  /// The instant after which no click may be heard, and the time the last started click is heard;
  /// both in ns.
  ///
  /// Each thread writes its own value before it reads the other's.
  let cutoff = Atomic<Int64>(.max)
  let lastOnset = Atomic<Int64>(.min)
  /// The time of the last callback in ns; 0 before the first.
  let lastCallback = Atomic<Int64>(0)
  /// Frames per callback of the driver.
  let block = Atomic<Int>(0)
  /// Measured rate in thousandths of a frame per second; 0 before the first callback.
  let rate = Atomic<Int>(0)
  /// The time from requesting a frame to hearing it, and how much later than planned clicks are
  /// heard because the driver's block is longer than planned; both in ns.
  let latency = Atomic<Int64>(0)
  let delay = Atomic<Int64>(0)

  init(volume: Int64, bank: Int) {
    self.volume = Atomic(Int(volume) * 10)
    self.bank = Atomic(bank)
  }
}
