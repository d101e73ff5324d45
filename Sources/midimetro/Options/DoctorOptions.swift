/// What `doctor` was asked, and what it needs of the surroundings.
struct DoctorOptions: Hashable, Sendable {
  var isJSON: Bool
  /// The sound font named by the user.
  var soundfont: String?
  /// The sound font named by the environment.
  var usualSoundfont: String?

  init(_ arguments: Arguments, _ environment: Environment) throws(UsageError) {
    isJSON = arguments.has(.json)
    usualSoundfont = environment.soundfont
    if let option = arguments.options.last(where: { $0.name == .soundfont }) {
      soundfont = try Values.name(option.value, option.place, "file")
    }
  }
}
