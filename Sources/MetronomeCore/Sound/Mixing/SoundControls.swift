internal import Synchronization

/// What one may turn while it sounds, and what it counts; shared between threads.
final class SoundControls: Sendable {
  /// Thousandths of full level, 0 to 2000.
  let volume: Atomic<Int>
  /// The bank of the voices.
  let bank: Atomic<Int>
  let clicks = Atomic<Int>(0)
  let late = Atomic<Int>(0)
  let missed = Atomic<Int>(0)
  let interruptions = Atomic<Int>(0)
  /// Nothing begins that would be heard after this instant, ns; and when the click begun last is heard.
  ///
  /// Each side writes its own before it reads the other's.
  let cutoff = Atomic<Int64>(.max)
  let lastOnset = Atomic<Int64>(.min)
  /// The instant of the last callback, ns; 0 before the first.
  let lastCallback = Atomic<Int64>(0)
  /// Frames that the driver asks for at once.
  let block = Atomic<Int>(0)
  /// Measured thousandths of a frame per second; 0 before the first callback.
  let rate = Atomic<Int>(0)
  /// From a frame's being asked for to its being heard, and how much later than planned clicks
  /// are heard because this was not foreseen; ns.
  let latency = Atomic<Int64>(0)
  let delay = Atomic<Int64>(0)

  init(volume: Int64, bank: Int) {
    self.volume = Atomic(Int(volume) * 10)
    self.bank = Atomic(bank)
  }
}
