internal import MIDIClock
internal import MetronomeCore

/// The name of an option: how it is spelled after `--`.
enum OptionName: String, CaseIterable, Sendable {
  case bpm, meter, accents, subdivide, swing, score
  case from, lostAfter = "lost-after", repair, replay, log
  case to, send, offset, divide, multiply, mute
  case channel, notes, velocities, gate
  case tapFrom = "tap-from", tapNote = "tap-note", tapChannel = "tap-channel", tapCC = "tap-cc"
  case tapVelocity = "tap-velocity", tapUnit = "tap-unit", tapRound = "tap-round"
  case tapMin = "tap-min", tapPhase = "tap-phase", startOnTap = "start-on-tap"
  case control, controlFrom = "control-from", learn
  case clock, bars, duration, countIn = "count-in", startBar = "start-bar"
  case sound, soundfont, audioDriver = "audio-driver", audioPeriod = "audio-period"
  case audioOffset = "audio-offset", volume
  case output, sampleRate = "sample-rate"
  case dispatch, profile
  case json, plain, quiet, noUI = "no-ui", dryRun = "dry-run"
  case list, help, version
  case man, completion
}
