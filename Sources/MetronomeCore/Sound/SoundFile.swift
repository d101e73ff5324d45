internal import CSndFile
internal import Glibc

/// Writes a sound file in one of libsndfile's compressed formats.
@safe public final class SoundFile {
  /// A format.
  public enum Format: Hashable, Sendable {
    /// FLAC, 16 bits, lossless.
    case flac
    /// Ogg Vorbis, which blurs a click's onset by some milliseconds.
    case ogg
  }

  /// The rates a file can have, in frames per second.
  public static let rates: ClosedRange<Int64> = 8_000...192_000

  private let table: midimetro_sndfile
  private let file: OpaquePointer

  private init(_ table: midimetro_sndfile, adopting file: OpaquePointer) {
    self.table = table
    unsafe self.file = file
  }

  private var isOpen = true

  deinit { if isOpen { unsafe _ = table.sf_close(file) } }

  /// Writes what the library still holds, the end of the file.
  ///
  /// - Throws: `SoundFileError`; a full disk is `ENOSPC`.
  public func close() throws(SoundFileError) {
    guard isOpen else { return }
    isOpen = false
    // The library forgets a failed write when it closes, but nothing resets errno.
    errno = 0
    let status = unsafe table.sf_close(file)
    if [ENOSPC, EFBIG, EDQUOT, EIO, EPIPE].contains(errno) {
      throw .system(SystemError(operation: "write", code: errno))
    }
    guard status == 0 else { throw .failed("sf_close", "error \(status)") }
  }

  /// Starts writing stereo frames to `descriptor`, which stays open.
  ///
  /// Source: `sf_open_fd`, from the library `libsndfile.so.1`.
  /// - Throws: `SoundFileError`.
  public static func open(
    descriptor: Int32, format: Format, rate: Int
  ) throws(SoundFileError) -> SoundFile {
    var table = midimetro_sndfile()
    if let reason = unsafe midimetro_sndfile_open(&table) {
      throw .library(unsafe String(cString: reason))
    }
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = 2
    info.format = format == .flac ? midimetro_format_flac : midimetro_format_ogg
    guard unsafe table.sf_format_check(&info) != 0 else { throw .format }
    guard let file = unsafe table.sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 0) else {
      throw .failed("sf_open_fd", unsafe message(table, nil))
    }
    // Otherwise samples beyond full scale would wrap around.
    unsafe _ = table.sf_command(file, Int32(SFC_SET_CLIPPING), nil, 1)
    return unsafe SoundFile(table, adopting: file)
  }

  /// Writes frames of two interleaved channels, -1 to 1.
  ///
  /// - Throws: `SoundFileError`; a system call's errno is in the message.
  public func write(_ frames: [Float]) throws(SoundFileError) {
    errno = 0
    let count = frames.count / 2
    let written = unsafe table.sf_writef_float(file, frames, sf_count_t(count))
    guard written == count else {
      throw errno != 0
        ? .system(SystemError(operation: "write", code: errno))
        : .failed("sf_writef_float", unsafe Self.message(table, file))
    }
  }

  private static func message(_ table: midimetro_sndfile, _ file: OpaquePointer?) -> String {
    unsafe table.sf_strerror(file).map { unsafe String(cString: $0) } ?? "no reason given"
  }
}
