/// What `doctor` was asked, and what it needs of the surroundings.
struct DoctorOptions: CommandOptions {
  let values: OptionValues
  /// The sound font named by the environment.
  let usualSoundfont: String?

  init(_ arguments: Arguments, _ environment: Environment) throws(UsageError) {
    values = try OptionValues([], arguments.options)
    usualSoundfont = environment.soundfont
  }
}
