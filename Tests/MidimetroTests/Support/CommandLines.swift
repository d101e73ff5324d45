import MetronomeCore

@testable import midimetro

/// A home without a config file.
let plainHome = Environment(home: "/home/u")

/// A home whose config file has the content `text`.
func home(config text: String) -> Environment {
  let bytes = Array(text.utf8)
  return Environment(
    home: "/home/u",
    contents: { path in path == "/home/u/.config/midimetro/config" ? bytes : nil })
}

/// The refusal of a command line; `nil` if it is accepted.
func refusal(_ words: [String], _ environment: Environment = plainHome) -> Failure? {
  do throws(Failure) {
    _ = try Command(words, environment: environment)
    return nil
  } catch { return error }
}

/// An outcome the test is not about.
struct Unexpected: Error {
  let text: String
}

/// The options of a `play` command line.
func played(_ words: [String], _ environment: Environment = plainHome) throws -> PlayOptions {
  let command: Command
  do throws(Failure) { command = try Command(words, environment: environment) } catch {
    throw Unexpected(text: error.message)
  }
  return try options(of: command)
}

/// The options of a command that was read.
func options<Options>(of command: Command) throws -> Options {
  guard let options = command.options as? Options else { throw Unexpected(text: "\(command)") }
  return options
}

/// The log of a command line with `--dry-run`.
func dryRun(_ words: String...) throws -> [String] {
  var lines: [String] = []
  DryRun.run(try played(words + ["--dry-run"])) { line in
    lines.append(line)
    return true
  }
  return lines
}
