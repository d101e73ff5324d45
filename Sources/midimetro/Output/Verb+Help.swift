extension Verb {
  /// A command line and what it is good for.
  struct Example: Sendable {
    let command: String
    let meaning: String

    init(_ command: String, _ meaning: String) {
      self.command = command
      self.meaning = meaning
    }
  }

  /// The options that help shows, in the table's order.
  var options: [OptionSpec] {
    OptionSpec.all.filter { $0.verbs.contains(self) && !$0.isHidden }
  }

  var usage: String {
    switch self {
    case .play: "midimetro [play] [options] [TEMPO]"
    case .follow: "midimetro follow [options]"
    case .tap: "midimetro tap [options]"
    case .monitor: "midimetro monitor [options]"
    case .render: "midimetro render [options] -o FILE [TEMPO]"
    case .check: "midimetro check FILE"
    case .ports: "midimetro ports [options]"
    case .doctor: "midimetro doctor [options]"
    case .bench: "midimetro bench [options] [TEMPO]"
    case .help: "midimetro help [COMMAND]"
    }
  }

  /// What a command's options do not say; one paragraph each.
  var notes: [String] {
    switch self {
    case .play:
      [
        "--send, --offset, --divide, --multiply and --mute apply to the --to before them, or to every"
          + " destination when they come before the first --to. Of an option given twice the"
          + " last counts.",
        "Long options can be kept in ~/.config/midimetro/config (or"
          + " $XDG_CONFIG_HOME/midimetro/config), one \"name = value\" a line; those in a"
          + " [profile] section hold with --profile. The command line is stronger, and a --to on it"
          + " replaces the file's destinations, as those of a profile replace those of the lines that"
          + " always hold. Each command passes over what is for others.",
        "When the screen is left, what is set is kept for --profile last, and read for nothing else.",
        "A click is heard when its note is sent: the driver's own latency is made up for, as far as"
          + " the driver tells; --audio-offset does the rest.",
      ]
    case .follow:
      [
        "The place is the count of pulses since Start, Continue or Song Position; no pulse is"
          + " dropped or made up. With --to, or when others connect to our ports, a steadier clock"
          + " and the clicks go out; Start, Stop and Continue pass at once. Of a --score the meters,"
          + " accents and names are taken; the tempo is the source's.",
        "--send, --offset, --divide, --multiply and --mute apply to the --to before them, or to every"
          + " destination when they come before the first --to.",
      ]
    case .tap:
      [
        "A tap is any note-on, or a pedal (controllers 64, 66, 67) going down. A hit within 60 ms of"
          + " the last is a bounce; after 2.5 seconds or 2.5 beats of silence a new series begins.",
        "Without --from the first port that taps is the source. In play, --tap-from names it, and the"
          + " taps set the tempo of what is sent.",
      ]
    case .monitor:
      [
        "A log has one message a line: SECONDS [@PORT] HEX..., such as 0.0015 @24:0 F8; # begins a"
          + " comment. --log writes it, --replay reads it, here, in follow and in tap.",
        "Deviations are those from the even clock that fits best, over the longest stretch"
          + " without a gap; drift is against this machine's clock and the nearest round tempo.",
      ]
    case .render:
      [
        "It needs no sequencer and no sound card, and --bars, --duration or a --score that ends. A click begins at the"
          + " frame nearest to its exact time (but an .ogg blurs it by some milliseconds); a sound"
          + " file is exactly as long as its bars, so it can be looped. A .mid has the tempos, the"
          + " meters and the clicks, in 960 ticks a quarter."
      ]
    case .check:
      [
        "A section a line: [NAME:] BARS [METER] [TEMPO[-TEMPO]] [ACCENTS]. BARS is a number, or * for"
          + " until stopped; two tempos are a ramp, even from beat to beat. Meter and tempo stay as"
          + " they are when left out, accents as long as the meter does.",
        "A line \"at BAR:BEAT TEMPO\" changes the tempo inside the section above it, both counted from"
          + " 1, the beat with a fraction if wanted. A ramp ends there, or with its section. # begins"
          + " a comment.",
        "Of a MIDI file the tempos and time signatures are taken, and its length. Exit status: 0, or"
          + " 65 with every line that is wrong.",
      ]
    case .doctor:
      [
        "Exit status: 0 when midimetro can play here, 69 without a sequencer, 77 without"
          + " permission to use it. Warnings do not change it."
      ]
    case .bench: ["Without --duration it takes 10 seconds."]
    case .ports, .help: []
    }
  }

  /// What to try; the overview shows those of `help`.
  var examples: [Example] {
    switch self {
    case .play:
      [
        Example("midimetro 120 --to TR-8S --to Volca", "click and clock two machines"),
        Example("midimetro 3/8=80 -m 6/8 --to 128:0", "80 dotted quarters a minute"),
        Example(
          "midimetro 133.7 --to TR-8S --offset -10 --to Volca --send clock",
          "one machine 10 ms early, the other the clock only"),
        Example("midimetro 120 --start-bar 11 --count-in 1 --to Synth", "from bar 11, counted in"),
        Example("midimetro --score song.txt --to TR-8S", "tempos and meters from a file"),
        Example("midimetro 97.5 --bars 2 --dry-run", "see what would be sent"),
        Example("midimetro 120 --to TR-8S --sound rim", "a machine, and clicks to be heard too"),
        Example(
          "midimetro 120 --to TR-8S --tap-from LPD8 --tap-note 36", "a pad that sets the tempo"),
        Example(
          "midimetro --to TR-8S --tap-from LPD8 --start-on-tap 4 --control cc:64=toggle",
          "four taps count in, a pedal stops and goes on"),
        Example("midimetro --profile live", "with the options kept under [live]"),
        Example("midimetro --profile last", "with what was set when the screen was last left"),
      ]
    case .follow:
      [
        Example("midimetro follow", "say what the first port that clocks plays"),
        Example("midimetro follow --from Ardour --to TR-8S", "steady a clock on its way"),
        Example("midimetro follow --replay take.log --json", "what a recorded clock says"),
      ]
    case .tap:
      [
        Example("midimetro tap", "the tempo of what is tapped, wherever"),
        Example("midimetro tap --learn", "hit a pad: which options name it?"),
        Example("midimetro tap --from LPD8 --tap-note 36 --tap-round 1", "one pad, whole numbers"),
      ]
    case .monitor:
      [
        Example("midimetro monitor --duration 30", "how even is every clock here?"),
        Example("midimetro monitor --from Ardour --log take.log", "keep it, to be replayed"),
      ]
    case .render:
      [
        Example("midimetro render 97.5 -m 7/8 --bars 8 -o click.wav", "a click track to loop"),
        Example(
          "midimetro render 120 --sound beep --count-in 1 --duration 180 -o take.flac",
          "three minutes of beeps, counted in"),
        Example("midimetro render 133.7 --bars 32 -o map.mid", "tempo and clicks for a DAW"),
      ]
    case .check:
      [
        Example("midimetro check song.txt", "its bars, times, meters and tempos"),
        Example("midimetro --score song.txt --to TR-8S", "play it"),
      ]
    case .ports:
      [
        Example("midimetro ports", "what --to can name"),
        Example("midimetro ports --json", "the same for a program to read"),
      ]
    case .doctor:
      [
        Example("midimetro doctor", "is this machine ready?"),
        Example("midimetro doctor --soundfont piano.sf2", "and can that sound font be read?"),
      ]
    case .bench:
      [
        Example("midimetro bench 133.7", "how good is the clock here?"),
        Example(
          "midimetro bench --dispatch queued --duration 60", "a minute of the kernel's queue"),
      ]
    case .help:
      [
        Example("midimetro 120 --to TR-8S", "click and clock a machine"),
        Example("midimetro ports", "what --to can name"),
        Example("midimetro doctor", "is this machine ready?"),
        Example("midimetro help play", "all that play can be asked"),
      ]
    }
  }
}
