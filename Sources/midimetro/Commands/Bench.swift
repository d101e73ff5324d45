/// `midimetro bench`: sends to itself through the sequencer and prints the measured jitter.
enum Bench {
  static func run(_ options: BenchOptions) throws(Failure) -> ExitStatus {
    throw Failure("bench is not in this version yet", .internalError)
  }
}
