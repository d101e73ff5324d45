internal import MIDIClock
internal import MetronomeCore

/// `--log`: what comes in, written to a file in the log format.
struct LogRecorder: ~Copyable {
  private var writer: FileWriter?
  private var named: Set<PortAddress> = []
  private let path: String

  /// Begins a log at `path`; without one nothing is written.
  init(_ path: String?) throws(Failure) {
    self.path = path ?? ""
    writer = nil
    guard let path else { return }
    do throws(SystemError) { writer = try FileWriter.create(path) } catch {
      throw Failure("--log: \(path) cannot be written: \(error)", .inputOutput)
    }
  }

  /// Whether anything is written.
  var isOn: Bool { writer != nil }

  /// Adds a message that came from `source`, called `name`, at `time` of the log.
  mutating func add(
    _ message: MIDIMessage, _ source: PortAddress, _ name: String, _ time: HostTime.Span
  ) {
    guard writer != nil else { return }
    if named.insert(source).inserted { writer?.add("# @\(source) = \(name)") }
    let time = HostTime(nanoseconds: time.nanoseconds)
    writer?.add(LogLine(time: time, port: source.description, bytes: message.bytes).text)
  }

  /// Writes what has been added.
  mutating func flush() throws(Failure) {
    do throws(SystemError) { try writer?.flush() } catch {
      throw Failure("--log: \(path) cannot be written: \(error)", .inputOutput)
    }
  }
}
