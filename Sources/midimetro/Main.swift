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
      let command = try Command(words, environment: .current { FullScreen.isPossible })
      exit(try command.run().rawValue)
    } catch {
      for line in error.message.split(separator: "\n") { StandardOutput.complain(String(line)) }
      exit(error.status.rawValue)
    }
  }
}
