internal import Glibc

/// Words in, an exit status out.
@main
enum Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(Failure) {
      exit(try run(words).rawValue)
    } catch {
      Standard.complain(error.message)
      exit(error.status.rawValue)
    }
  }

  /// Runs the command that `words` name.
  static func run(_ words: [String]) throws(Failure) -> ExitStatus {
    let command: Command
    do throws(UsageError) {
      command = try Command(words, environment: .current)
    } catch { throw Failure(error.message, .usage) }
    switch command {
    case .help(let verb): Standard.write(Help.text(verb))
    case .version: Standard.write("midimetro \(Help.version)\n")
    case .ports(let isJSON): return try Ports.run(isJSON: isJSON)
    case .play(let options):
      guard options.isDryRun else { return try Play.run(options) }
      DryRun.run(options) { Standard.write($0 + "\n") }
    }
    return .done
  }
}
