internal import Glibc
internal import MetronomeCore

/// What the surroundings contribute to a command.
struct Environment: Sendable {
  var outputPorts: String?
  var configHome: String?
  var stateHome: String?
  var home: String?
  var soundfont: String?
  /// Whether somebody sits at a terminal that both keys come from and text goes to, and that can
  /// show a screen: `TERM` is known and its cursor can be moved.
  var isInteractive = false
  /// The content of a file; `nil` when there is none.
  var contents: @Sendable (String) throws(SystemError) -> [UInt8]? = { _ in nil }
  /// The content of a file named on the command line, which may come from a pipe or, as `-`, from
  /// the standard input.
  var scores: @Sendable (String) throws(SystemError) -> [UInt8]? {
    streams ?? contents
  }
  /// `scores` where pipes can be read.
  var streams: (@Sendable (String) throws(SystemError) -> [UInt8]?)?

  /// The process's own, where it makes no difference whether anybody sits at a terminal.
  static var current: Environment { current { false } }

  /// The process's own; `canShowScreen` is asked where somebody sits at a terminal.
  static func current(canShowScreen: () -> Bool) -> Environment {
    Environment(
      outputPorts: read("ALSA_OUTPUT_PORTS"), configHome: read("XDG_CONFIG_HOME"),
      stateHome: read("XDG_STATE_HOME"), home: read("HOME"), soundfont: read("MIDIMETRO_SOUNDFONT"),
      isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        && canShowScreen(),
      contents: { path throws(SystemError) in try TextFile.read(path) },
      streams: { path throws(SystemError) in try TextFile.readToEnd(path) })
  }

  /// Where the config file is.
  ///
  /// A relative `XDG_CONFIG_HOME` is to be ignored. Source: XDG Base Directory Specification.
  var configPath: String? {
    if let configHome, configHome.hasPrefix("/") { return "\(configHome)/midimetro/config" }
    guard let home, !home.isEmpty else { return nil }
    return "\(home)/.config/midimetro/config"
  }

  /// Where the settings of the last session of a screen are kept.
  ///
  /// Source: XDG Base Directory Specification, which has state that outlives a restart, but need not
  /// go with its user to another machine, in `XDG_STATE_HOME`.
  var lastPath: String? {
    if let stateHome, stateHome.hasPrefix("/") { return "\(stateHome)/midimetro/last" }
    guard let home, !home.isEmpty else { return nil }
    return "\(home)/.local/state/midimetro/last"
  }

  /// `path` from the root on; as it is when the present folder has no name.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }

  /// The variable's value; an empty one counts as unset.
  static func read(_ name: String) -> String? {
    guard let value = unsafe getenv(name).map({ unsafe String(cString: $0) }), !value.isEmpty
    else { return nil }
    return value
  }
}
