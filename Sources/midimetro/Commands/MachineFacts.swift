internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// What `doctor` saw of the machine.
struct MachineFacts: Sendable {
  /// Why `/dev/snd/seq` cannot be opened; `nil` when it can.
  var device: SystemError?
  /// What came of being a client; `nil` when that could not be tried.
  var client: Client?
  /// What came of running a queue; `nil` when that could not be tried.
  var queue: Queue?
  var realtimeLimit: Limits.Limit
  /// In bytes.
  var memoryLimit: Limits.Limit
  var scheduling: Scheduling
  /// The errno of a refused `mlockall`; `nil` when memory can be locked.
  var lockRefusal: Int32?
  /// `nil` when no thread could be had.
  var wakeUps: WakeUps?
  /// Of an ordinary thread, in nanoseconds.
  var timerSlack: Int64
  var machine: Machine
  /// FluidSynth, or why it is not there.
  var sound: Result<SoundInventory, SoundError>
  var soundFont: SoundFont
  /// What came of opening an audio driver; `nil` when that was not tried.
  var audio: Result<SoundOpened, SoundError>?
  var terminal: Terminal?

  enum Client: Hashable, Sendable {
    case opened(number: UInt8, destinations: Int, sources: Int)
    case refused(ALSAError)
  }

  enum Queue: Hashable, Sendable {
    /// How far the queue's time came while the clock advanced by `during`.
    case ran(timer: QueueTimer?, advanced: HostTime.Span, during: HostTime.Span)
    case refused(ALSAError)
  }

  enum SoundFont: Hashable, Sendable {
    /// `place` says who named it.
    case found(String, place: String)
    /// None is named: the built-in sets, and a font that `--sound font` would find.
    case builtIn(sets: [String], found: String?)
    case refused(SoundError)
  }
}
