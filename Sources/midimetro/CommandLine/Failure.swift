/// The end of a command that could not do what it was asked: a line and a status.
struct Failure: Error {
  /// One line, or several where a file has several faults.
  let message: String
  let status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// What `body` makes; a usage error becomes the end of the command.
  static func onUsage<Value>(
    _ body: () throws(UsageError) -> Value
  ) throws(Failure) -> Value {
    do throws(UsageError) { return try body() } catch { throw Failure(error.message, error.status) }
  }
}
