internal import Glibc
internal import MIDIClock
internal import MetronomeCore

extension SoundError {
  var status: ExitStatus {
    switch self {
    case .noFont, .unusableFont, .noDrums, .silentKey: .noInput
    case .library, .noDriver, .unknownDriver, .noAnswer, .failed: .unavailable
    }
  }
}
