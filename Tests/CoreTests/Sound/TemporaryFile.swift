import Glibc
import MIDIClock
import MetronomeCore

/// A file with a unique name, deleted along with this object.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8], ending: String) throws {
    path = "/tmp/midimetro-test-\(getpid())-\(SystemClock.now.nanoseconds)\(ending)"
    let file = try OutputFile.create(path)
    try file.write(bytes)
    try file.commit()
  }

  deinit { unsafe _ = unlink(path) }
}
