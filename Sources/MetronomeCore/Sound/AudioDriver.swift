internal import Glibc

/// The name of an audio driver, and optionally a device.
///
/// Written `NAME` or `NAME:DEVICE`, such as `alsa:hw:1`.
public struct AudioDriver: Hashable, Sendable {
  /// FluidSynth's name for the driver.
  public var name: String
  /// The driver's name for the device; `nil` for its default.
  public var device: String?

  /// Creates a driver with an optional device.
  public init(name: String, device: String? = nil) {
    self.name = name
    self.device = device
  }

  /// Parses `NAME` or `NAME:DEVICE`.
  public init(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    device = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
  }

  /// The form that `init(text:)` parses.
  public var text: String { device.map { "\(name):\($0)" } ?? name }

  /// The drivers to try by default, in order: sound servers before the bare card, which they
  /// occupy.
  public static let order = ["pipewire", "pulseaudio", "jack", "alsa"]

  /// The default drivers that are in `built`, the drivers compiled into the library.
  ///
  /// JACK only if its server is running, because its library would otherwise try to start one and
  /// print errors to stderr.
  static func candidates(built: [String], jackIsRunning: Bool) -> [AudioDriver] {
    order.filter { built.contains($0) && ($0 != "jack" || jackIsRunning) }
      .map { AudioDriver(name: $0) }
  }

  /// Whether the shared memory of a JACK server exists, whichever user owns it.
  static var jackIsRunning: Bool {
    guard let folder = unsafe opendir("/dev/shm") else { return false }
    defer { unsafe _ = closedir(folder) }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name.hasPrefix("jack") { return true }
    }
    return false
  }
}
