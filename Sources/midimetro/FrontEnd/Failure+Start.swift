internal import MetronomeCore

// How a command that cannot open what it needs comes to an end.

extension Failure {
  /// What `body` makes, which opens what a command needs; what it refuses becomes the end of it.
  static func onStart<Value: ~Copyable>(_ body: () throws -> Value) throws(Failure) -> Value {
    do { return try body() } catch {
      switch error {
      case let failure as Failure: throw failure
      case let error as SessionError: throw Failure(error)
      case let error as ALSAError: throw Failure(error)
      default: throw Failure("\(error)", .internalError)
      }
    }
  }

  /// The line and the status for a session that could not start.
  init(_ error: SessionError) {
    let line =
      switch error {
      case .sequencer(let error): error.report
      case .address(let error): "\(error)"
      case .system(let error): "\(error)"
      }
    self.init(line, ExitStatus(error))
  }

  /// The line and the status for a sequencer that refuses.
  init(_ error: ALSAError) { self.init(error.report, ExitStatus(error)) }
}
