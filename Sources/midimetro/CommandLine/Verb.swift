/// What midimetro can be asked to do; `CommandDescriptor` has the rest.
enum Verb: String, CaseIterable, Sendable {
  case play, follow, tap, monitor, render, check, ports, doctor, bench, help
}
