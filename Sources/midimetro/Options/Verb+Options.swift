extension Verb {
  /// Whether it begins with the options of the config file.
  var readsConfig: Bool { OptionSpec.spec(.profile)?.verbs.contains(self) == true }

  /// Whether a tempo may stand by itself.
  var takesTempo: Bool { OptionSpec.spec(.bpm)?.verbs.contains(self) == true }
}
