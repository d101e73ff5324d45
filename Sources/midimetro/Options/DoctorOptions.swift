/// What `doctor` was asked, and what it needs of the surroundings.
struct DoctorOptions: Sendable {
  var isJSON: Bool
  /// The sound font asked for, and by what.
  var soundfont: (path: String, place: String)?
  var home: String?

  init(_ arguments: Arguments, _ environment: Environment) throws(UsageError) {
    isJSON = arguments.has(.json)
    home = environment.home
    if let option = arguments.options.last(where: { $0.name == .soundfont }) {
      soundfont = (try Values.name(option.value, option.place, "file"), option.place)
    } else if let path = environment.soundfont {
      soundfont = (path, "$MIDIMETRO_SOUNDFONT")
    }
  }
}
