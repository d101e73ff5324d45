internal import MetronomeCore

extension Command {
  /// The config file's options; without a file there are none.
  static func config(
    _ profile: String?, _ environment: Environment
  ) throws(Failure) -> [GivenOption] {
    guard let path = environment.configPath else {
      guard let profile else { return [] }
      if profile == Profile.last { return try last(after: nil, environment) }
      throw Failure("--profile \(profile): HOME is not set, so there is no config file", .usage)
    }
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try environment.contents(path) } catch {
      throw Failure(
        "the config file \(path) cannot be read: \(error); fix it or move it away", .inputOutput)
    }
    let file = bytes.map { ConfigFile($0, path: path) }
    if profile == Profile.last, file?.profiles.contains(Profile.last) != true {
      return try last(after: file, environment)
    }
    return try Failure.onUsage { () throws(UsageError) in
      guard let file else {
        guard let profile else { return [] }
        throw UsageError(
          "--profile: there is no config file \(path) with a profile '\(profile)'; write it, or"
            + " leave --profile out")
      }
      return try file.options(profile: profile)
    }
  }

  /// What was set when the screen was last left, after the lines of the config file that always hold.
  private static func last(
    after config: ConfigFile?, _ environment: Environment
  ) throws(Failure) -> [GivenOption] {
    guard let path = environment.lastPath else {
      throw Failure("--profile last: HOME is not set, so no settings have been kept", .usage)
    }
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try environment.contents(path) } catch {
      throw Failure(
        "the last settings, \(path), cannot be read: \(error); fix it or move it away",
        .inputOutput)
    }
    return try Failure.onUsage { () throws(UsageError) in
      guard let bytes else {
        throw UsageError(
          "--profile last: no settings have been kept in \(path) yet; they are when the screen of"
            + " play is left")
      }
      return try (config ?? ConfigFile([], path: path))
        .options(before: ConfigFile(bytes, path: path), profile: Profile.last)
    }
  }
}
