internal import Glibc
internal import MIDIClock
internal import MetronomeCore

/// `--replay`: a log read as fast as it can be, through to its end or a signal.
enum Replay {
  /// Reads the log at `path` (`-` for the standard input) to `listener`.
  ///
  /// - Parameters:
  ///   - path: The log.
  ///   - duration: How much of the log is read, from its first message on; `nil` for all.
  ///   - listener: What listens.
  /// - Returns: The exit status.
  /// - Throws: `Failure` when there is no log, a line is bad, or the output cannot be written.
  static func run<InputSession: LogListener & ~Copyable>(
    _ path: String, duration: HostTime.Span?, _ listener: inout InputSession
  ) throws(Failure) -> ExitStatus {
    let signals: SignalInbox
    do throws(SystemError) { signals = try SignalInbox.open() } catch {
      throw Failure("\(error)", .internalError)
    }
    let name = path == "-" ? "the standard input" : path
    let source = path == "-" ? "standard input" : path
    var reader = try open(path, name)
    var set = PollSet([signals.descriptor, reader.descriptor])
    var latest: HostTime?
    var isOpen = true
    while isOpen {
      var lines: [String] = []
      do throws(SystemError) {
        _ = try set.wait()
        if endsWaiting(signals) { break }
        isOpen = try reader.fill()
      } catch  where error.code == EFBIG {
        throw Failure(
          "\(source):\(reader.number + 1): a line of more than \(LineReader.longestLine) bytes;"
            + " this is not a log", .badData)
      } catch { throw Failure("\(name) cannot be read: \(error)", .inputOutput) }
      var fault: LogLine.TextError?
      do throws(LogLine.TextError) {
        while let text = reader.next() {
          guard let line = try LogLine.parse(text) else { continue }
          if let latest, latest < line.time {
            isOpen = false
            break
          }
          if latest == nil, let duration { latest = line.time + duration }
          listener.take(line, &lines)
        }
      } catch { fault = error }
      guard try write(lines, signals) else { return .done }
      if let fault {
        throw Failure("\(source):\(reader.number): \(fault)", .badData)
      }
    }
    var lines: [String] = []
    listener.end(&lines)
    _ = try write(lines, signals)
    return .done
  }

  /// What to say when none of the `names` in a log is the one that was `wanted`.
  static func nothing(from wanted: String, among names: some Sequence<String>) -> String {
    let there = names.filter { !$0.isEmpty }.sorted().map { "@" + $0 }
    return "nothing in the log is from @\(wanted); "
      + (there.isEmpty ? "no port is named there" : "it has \(there.joined(separator: ", "))")
  }

  private static func open(_ path: String, _ name: String) throws(Failure) -> LineReader {
    do throws(SystemError) { return try LineReader.open(path) } catch {
      guard error.isMissingFile else {
        throw Failure("\(name) cannot be read: \(error)", .inputOutput)
      }
      throw Failure("--replay: there is no file \(name)", .noInput)
    }
  }

  /// Whether a signal asks for the end; Ctrl-Z is answered on the way.
  private static func endsWaiting(_ signals: borrowing SignalInbox) -> Bool {
    while let signal = signals.next() {
      switch signal {
      case .interrupt, .terminate, .hangUp: return true
      case .suspend: SignalInbox.takeDefaultAction(of: .suspend)
      case .resume, .windowChange, .brokenPipe: break
      }
    }
    return false
  }

  /// Writes all of `lines`; false when the reader has gone or a signal came while it did not read.
  private static func write(
    _ lines: [String], _ signals: borrowing SignalInbox
  ) throws(Failure) -> Bool {
    guard !lines.isEmpty else { return true }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    var start = 0
    while start < bytes.count {
      guard PollSet.isWritable(STDOUT_FILENO) else {
        if endsWaiting(signals) { return false }
        SystemClock.sleep(until: SystemClock.now + .milliseconds(5))
        continue
      }
      let part = Array(bytes[start..<min(bytes.count, start + StandardOutput.piece)])
      let count = unsafe Glibc.write(STDOUT_FILENO, part, part.count)
      if count >= 0 {
        start += count
        continue
      }
      if errno == EINTR || errno == EAGAIN { continue }
      let error = SystemError(operation: "write", code: errno)
      if StandardOutput.isUnread(error) { return false }
      throw Failure("the output cannot be written: \(error)", .inputOutput)
    }
    return true
  }
}
