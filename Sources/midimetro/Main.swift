internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// Words in, an exit status out.
@main
enum Main {
  static func main() {
    StandardStreams.holdClosedOnes()
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(Failure) {
      exit(try run(words, .current { FullScreen.isPossible }).rawValue)
    } catch {
      for line in error.message.split(separator: "\n") { StandardOutput.complain(String(line)) }
      exit(error.status.rawValue)
    }
  }

  /// Runs the command that `words` name.
  static func run(_ words: [String], _ environment: Environment) throws(Failure) -> ExitStatus {
    switch try Command(words, environment: environment) {
    case .help(let verb): try print(Help.text(verb))
    case .manual: try print(Manual.text)
    case .jsonReference: try print(JSONReference.text)
    case .completion(let shell): try print(Completion.text(for: shell))
    case .version: try print("midimetro \(Help.version)\n")
    case .ports(let isJSON): return try Ports.run(isJSON: isJSON)
    case .check(let path):
      let reading = try Failure.onUsage { () throws(UsageError) in
        try ScoreOption.read(path, ScoreReading.Defaults(), environment.contents)
      }
      try print(Check.text(path, reading))
    case .doctor(let options):
      let diagnosis = Doctor.examine(options)
      try print(options.isJSON ? diagnosis.json : diagnosis.text)
      return diagnosis.status
    case .follow(let options):
      guard let path = options.replay else { return try Follow.run(options) }
      return try FollowReplay.run(options, path)
    case .tap(let options): return try Tap.run(options)
    case .monitor(let options): return try Monitor.run(options)
    case .render(let options): return try Render.run(options)
    case .bench(let options): return try Bench.run(options)
    case .play(let options):
      guard options.isDryRun else { return try Play.run(options) }
      var isWhole = true
      DryRun.run(options) { line in
        isWhole = StandardOutput.write(line + "\n")
        return isWhole
      }
      if !isWhole { try complainOfOutput() }
    }
    return .done
  }

  private static func print(_ text: String) throws(Failure) {
    if !StandardOutput.write(text) { try complainOfOutput() }
  }

  /// A reader that has read enough (`| head`) is no error.
  private static func complainOfOutput() throws(Failure) {
    let error = SystemError(operation: "write", code: errno)
    guard error.isBrokenPipe else {
      throw Failure("the output cannot be written: \(error)", .inputOutput)
    }
  }
}
