internal import MIDIClock
internal import MetronomeCore

extension CommandDescriptor {
  /// The commands, in the order of help.
  static let all: [CommandDescriptor] = [
    CommandDescriptor(
      .play,
      summary: "click and send MIDI clock (the default command)",
      usage: "midimetro [play] [options] [TEMPO]",
      notes: [
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
      ],
      examples: [
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
      ],
      read: { request throws(UsageError) in
        if request.arguments.has(.list) { return try request.list() }
        var options = try PlayOptions(
          request.arguments, config: request.config, outputPorts: request.environment.outputPorts,
          contents: request.environment.scores)
        options.values.showScreen(on: request.environment)
        return Command(options) { options throws(Failure) in
          options.isDryRun ? try DryRun.run(options) : try Play.run(options)
        }
      }),
    CommandDescriptor(
      .follow,
      summary: "follow an incoming clock: bar, beat and tempo, clicks, a steadier clock",
      usage: "midimetro follow [options]",
      notes: [
        "The place is the count of pulses since Start, Continue or Song Position; no pulse is"
          + " dropped or made up. With --to, or when others connect to our ports, a steadier clock"
          + " and the clicks go out; Start, Stop and Continue pass at once. Of a --score the meters,"
          + " accents and names are taken; the tempo is the source's.",
        "--send, --offset, --divide, --multiply and --mute apply to the --to before them, or to every"
          + " destination when they come before the first --to.",
      ],
      examples: [
        Example("midimetro follow", "say what the first port that clocks plays"),
        Example("midimetro follow --from Ardour --to TR-8S", "steady a clock on its way"),
        Example("midimetro follow --replay take.log --json", "what a recorded clock says"),
      ],
      read: { request throws(UsageError) in
        try request.refuseOperands()
        var options = try FollowOptions(
          request.arguments, config: request.config, outputPorts: request.environment.outputPorts,
          contents: request.environment.scores)
        options.values.showScreen(on: request.environment)
        return Command(options) { options throws(Failure) in
          guard let path = options.replay else { return try Follow.run(options) }
          return try FollowReplay.run(options, path)
        }
      }),
    CommandDescriptor(
      .tap,
      summary: "tell the tempo of what is tapped on a pad, key or pedal",
      usage: "midimetro tap [options]",
      notes: [
        "A tap is any note-on, or a pedal (controllers 64, 66, 67) going down. A hit within 60 ms of"
          + " the last is a bounce; after 2.5 seconds or 2.5 beats of silence a new series begins.",
        "Without --from the first port that taps is the source. In play, --tap-from names it, and the"
          + " taps set the tempo of what is sent.",
      ],
      examples: [
        Example("midimetro tap", "the tempo of what is tapped, wherever"),
        Example("midimetro tap --learn", "hit a pad: which options name it?"),
        Example("midimetro tap --from LPD8 --tap-note 36 --tap-round 1", "one pad, whole numbers"),
      ],
      read: { request throws(UsageError) in
        try request.refuseOperands()
        var options = try TapOptions(request.arguments, config: request.config)
        options.values.showScreen(on: request.environment)
        return Command(options, run: Tap.run)
      }),
    CommandDescriptor(
      .monitor,
      summary: "measure how even incoming clocks are",
      usage: "midimetro monitor [options]",
      notes: [
        "A log has one message a line: SECONDS [@PORT] HEX..., such as 0.0015 @24:0 F8; # begins a"
          + " comment. --log writes it, --replay reads it, here, in follow and in tap.",
        "Deviations are those from the even clock that fits best, over the longest stretch"
          + " without a gap; drift is against this machine's clock and the nearest round tempo.",
      ],
      examples: [
        Example("midimetro monitor --duration 30", "how even is every clock here?"),
        Example("midimetro monitor --from Ardour --log take.log", "keep it, to be replayed"),
      ],
      read: { request throws(UsageError) in
        try request.refuseOperands()
        var options = try MonitorOptions(request.arguments, config: request.config)
        options.values.showScreen(on: request.environment)
        return Command(options, run: Monitor.run)
      }),
    CommandDescriptor(
      .render,
      summary: "write the clicks to a sound file or a MIDI file",
      usage: "midimetro render [options] -o FILE [TEMPO]",
      notes: [
        "It needs no sequencer and no sound card, and --bars, --duration or a --score that ends. A click begins at the"
          + " frame nearest to its exact time (but an .ogg blurs it by some milliseconds); a sound"
          + " file is exactly as long as its bars, so it can be looped. A .mid has the tempos, the"
          + " meters and the clicks, in 960 ticks a quarter; its tempos keep each pulse of a ramp"
          + " within 0.1 ms."
      ],
      examples: [
        Example("midimetro render 97.5 -m 7/8 --bars 8 -o click.wav", "a click track to loop"),
        Example(
          "midimetro render 120 --sound beep --count-in 1 --duration 180 -o take.flac",
          "three minutes of beeps, counted in"),
        Example("midimetro render 133.7 --bars 32 -o map.mid", "tempo and clicks for a DAW"),
      ],
      read: { request throws(UsageError) in
        let options = try RenderOptions(
          request.arguments, config: request.config, request.environment)
        return Command(options, run: Render.run)
      }),
    CommandDescriptor(
      .check,
      summary: "say whether a score file is right, and what is in it",
      usage: "midimetro check FILE",
      notes: [
        "A section a line: [NAME:] BARS [METER] [TEMPO[-TEMPO]] [ACCENTS]. BARS is a number, or * for"
          + " until stopped; two tempos are a ramp, even from beat to beat. Meter and tempo stay as"
          + " they are when left out, accents as long as the meter does.",
        "A line \"at BAR:BEAT TEMPO[-TEMPO]\" changes the tempo inside the section above it, both counted"
          + " from 1, the beat with decimals or a fraction if wanted, such as 3.5 or 3+1/3; places are"
          + " to 1/960 of a quarter. A ramp reaches its second tempo at the next at line, or at the end"
          + " of its section. # begins a comment.",
        "12/8=12 is a meter in one group. A first bar that is shorter than the second is a pick-up: it"
          + " is weak, and a count-in leads into it.",
        "Of a MIDI file the tempos and time signatures are taken, and its length. FILE can be a pipe,"
          + " or - for the standard input. Exit status: 0, or 65 with every line that is wrong.",
      ],
      examples: [
        Example("midimetro check song.txt", "its bars, times, meters and tempos"),
        Example("midimetro --score song.txt --to TR-8S", "play it"),
      ],
      read: { request throws(UsageError) in
        let operands = request.arguments.operands
        guard let path = operands.first, operands.count == 1 else {
          throw UsageError("which score? write: midimetro check FILE")
        }
        let contents = request.environment.scores
        return Command(path) { path throws(Failure) in try Check.run(path, contents) }
      }),
    CommandDescriptor(
      .ports,
      summary: "list the sequencer's ports",
      usage: "midimetro ports [options]",
      examples: [
        Example("midimetro ports", "what --to can name"),
        Example("midimetro ports --json", "the same for a program to read"),
      ],
      read: { request throws(UsageError) in
        try request.refuseOperands()
        return try request.ports()
      }),
    CommandDescriptor(
      .doctor,
      summary: "say what this machine can do, and how to mend what it cannot",
      usage: "midimetro doctor [options]",
      notes: [
        "Exit status: 0 when midimetro can play here, 69 without a sequencer, 77 without"
          + " permission to use it. Warnings do not change it."
      ],
      examples: [
        Example("midimetro doctor", "is this machine ready?"),
        Example("midimetro doctor --soundfont piano.sf2", "and can that sound font be read?"),
      ],
      read: { request throws(UsageError) in
        try request.refuseOperands()
        let options = try DoctorOptions(request.arguments, request.environment)
        return Command(options, run: Doctor.run)
      }),
    CommandDescriptor(
      .bench,
      summary: "send to itself through the sequencer and print the measured jitter",
      usage: "midimetro bench [options] [TEMPO]",
      notes: ["Without --duration it takes 10 seconds."],
      examples: [
        Example("midimetro bench 133.7", "how good is the clock here?"),
        Example(
          "midimetro bench --dispatch queued --duration 60", "a minute of the kernel's queue"),
      ],
      read: { request throws(UsageError) in
        Command(try BenchOptions(request.arguments), run: Bench.run)
      }),
    CommandDescriptor(
      .help,
      summary: "explain a command",
      usage: "midimetro help [COMMAND]",
      examples: [
        Example("midimetro 120 --to TR-8S", "click and clock a machine"),
        Example("midimetro ports", "what --to can name"),
        Example("midimetro doctor", "is this machine ready?"),
        Example("midimetro help play", "all that play can be asked"),
      ],
      read: { request throws(UsageError) in
        Command(try HelpTopic(request.arguments), run: HelpTopic.run)
      }),
  ]
}
