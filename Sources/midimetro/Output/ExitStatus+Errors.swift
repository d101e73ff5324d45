internal import MetronomeCore

// Which error ends the program with which status.

extension ExitStatus {
  init(_ error: SessionError) {
    switch error {
    case .sequencer(let error): self.init(error)
    case .address(let error): self.init(error)
    case .system: self = .internalError
    }
  }

  init(_ error: ALSAError) { self = error.isPermission ? .noPermission : .unavailable }

  init(_ error: AddressError) {
    if case .repeated = error { self = .usage } else { self = .unavailable }
  }

  init(_ error: SoundError) {
    switch error {
    case .noFont, .unusableFont, .noDrums, .silentKey: self = .noInput
    case .library, .noDriver, .unknownDriver, .noAnswer, .failed: self = .unavailable
    }
  }

  init(_ error: SoundFileError) {
    switch error {
    case .library, .format: self = .unavailable
    case .failed, .system: self = .inputOutput
    }
  }

  /// For `error`, of writing a file.
  init(writing error: SystemError) { self = error.isPermission ? .noPermission : .inputOutput }
}
