internal import ClickSound
internal import MIDIClock
internal import MetronomeCore

// Keeping what is set.

extension Play {
  /// Keeps what is set as a profile of the config file.
  func save(_ name: String, at now: HostTime, _ loop: inout CommandLoop) {
    do {
      guard name != Profile.last else {
        throw Failure("\(name) is kept by itself when you leave; give another name", .usage)
      }
      guard let path = Environment.current.configPath else {
        throw Failure("HOME is not set, so there is no config file", .usage)
      }
      do {
        try keep(
          as: name, in: path, before: Environment.current.contents(path) ?? [], loop.player)
      } catch {
        throw Failure("\(error): \(path)", .inputOutput)
      }
      loop.screen?.model.say("kept: midimetro --profile \(Words.shellQuoted(name))", at: now)
    } catch {
      // The answer to a key, which no earlier answer hides.
      loop.screen?.model.say("not kept: \((error as? Failure)?.message ?? "\(error)")", at: now)
    }
  }

  /// Keeps what is set for `--profile last`.
  ///
  /// The user did not ask for it now, so a failure is only a warning.
  func keepLast(_ loop: borrowing CommandLoop) {
    guard loop.screen != nil, let path = Environment.current.lastPath else { return }
    do { try keep(as: Profile.last, in: path, before: [], loop.player) } catch {
      StandardOutput.complain("what was set is not kept for --profile last: \(path): \(error)")
    }
  }

  /// Writes what is set as the section `name` of the file at `path`, which has the content
  /// `before`.
  private func keep(
    as name: String, in path: String, before: [UInt8], _ player: ClickPlayer?
  ) throws {
    let present =
      try leader.sequencer?.presentDestinations(isKept: Profile.isKept) ?? (given: [], added: [])
    let sound = player.flatMap { player in
      leader.table.sound.map { Profile.Sound(route: $0, volume: player.volume, set: player.set) }
    }
    let lines = Profile.lines(
      of: leader.state, options, sound: sound, present: present.given, added: present.added)
    try OutputFile.makeFolders(for: path)
    let file = try OutputFile.create(path)
    let text = String(decoding: before, as: UTF8.self)
    try file.write(Array(Profile.put(lines, as: name, in: text).utf8))
    try file.commit()
  }
}
