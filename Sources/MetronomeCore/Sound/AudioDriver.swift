internal import Glibc

/// An audio driver by name, and the device it plays on.
///
/// Written `NAME` or `NAME:DEVICE`, such as `alsa:hw:1`.
public struct AudioDriver: Hashable, Sendable {
  /// FluidSynth's name of the driver.
  public var name: String
  /// What the driver calls the device; `nil` for its own choice.
  public var device: String?

  /// A driver and its device.
  public init(name: String, device: String? = nil) {
    self.name = name
    self.device = device
  }

  /// Reads `NAME` or `NAME:DEVICE`.
  public init(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    device = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
  }

  /// As it is written.
  public var text: String { device.map { "\(name):\($0)" } ?? name }

  /// The drivers tried when none is named, in this order: sound servers before the bare card,
  /// which they hold.
  public static let order = ["pipewire", "pulseaudio", "jack", "alsa"]

  /// The drivers to try, of those `built` into the library.
  ///
  /// JACK only where its server runs, for its library would otherwise try to start one and
  /// complain on the standard error stream.
  static func candidates(built: [String], jackIsRunning: Bool) -> [AudioDriver] {
    order.filter { built.contains($0) && ($0 != "jack" || jackIsRunning) }
      .map { AudioDriver(name: $0) }
  }

  /// Whether a JACK server of anyone's has its shared memory here.
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
