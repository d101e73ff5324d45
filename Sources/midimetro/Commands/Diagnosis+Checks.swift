internal import Glibc
internal import MIDIClock
internal import MetronomeCore

extension Diagnosis {
  mutating func examineSequencer(_ facts: MachineFacts) {
    let device = "sequencer device"
    if let refusal = facts.device {
      let isForbidden = refusal.code == EACCES || refusal.code == EPERM
      status = isForbidden ? .noPermission : .unavailable
      add(
        device, .fail, "/dev/snd/seq: \(refusal)",
        isForbidden
          ? "sudo usermod -aG audio $USER, then log in again; or log in at the machine itself,"
            + " where its seat gives access"
          : "sudo modprobe snd-seq; at every start of the machine: echo snd-seq | sudo tee"
            + " /etc/modules-load.d/snd-seq.conf; in a container: --device /dev/snd/seq")
      return
    }
    add(device, .ok, "/dev/snd/seq opens for reading and writing")
    switch facts.client {
    case .opened(let number, let destinations, let sources):
      add("sequencer client", .ok, "opened as client \(number)")
      add(
        "ports", .ok,
        "\(Words.count(destinations, "port")) to send to, \(sources) to listen to",
        nil, [("destinations", .integer(destinations)), ("sources", .integer(sources))])
    case .refused(let error):
      status = ExitStatus(error)
      add("sequencer client", .fail, "\(error)", error.remedy ?? "see midimetro ports")
    case nil: break
    }
  }

  private static let limits =
    "put the lines '@audio - rtprio 95' and '@audio - memlock unlimited' into"
    + " /etc/security/limits.d/95-audio.conf, join the group (sudo usermod -aG audio $USER),"
    + " log in again"

  mutating func examineRealtime(_ facts: MachineFacts) {
    let check = "real-time priority"
    let limit = ("limit", JSON.Value.string(facts.realtimeLimit.description))
    switch facts.scheduling {
    case .realtime(let priority):
      add(
        check, .ok, "SCHED_FIFO is granted at priority \(priority); limit \(facts.realtimeLimit)",
        nil, [limit])
    case .refused(let code):
      let error = SystemError(operation: "pthread_setschedparam", code: code)
      let isLimited = facts.realtimeLimit == .atMost(0)
      add(
        check, .warn, "SCHED_FIFO is refused (\(error)); limit \(facts.realtimeLimit)",
        isLimited
          ? Self.limits
          : "the limit would allow it, the kernel or the container does not; in a container:"
            + " --cap-add SYS_NICE", [limit])
    case .ordinary:
      add(check, .warn, "no thread could be started to try it", Self.limits, [limit])
    }
    let memory: String =
      switch facts.memoryLimit {
      case .unlimited: "unlimited"
      case .atMost(let bytes): "\(bytes / 1_024) KiB"
      }
    if let code = facts.lockRefusal {
      let error = SystemError(operation: "mlockall", code: code)
      add("locked memory", .warn, "refused (\(error)); limit \(memory)", Self.limits)
    } else {
      add("locked memory", .ok, "granted; limit \(memory)")
    }
    add(
      "dispatch", dispatch == .precise ? .ok : .warn,
      dispatch == .precise
        ? "auto takes precise: the clock's own thread has real-time priority"
        : "auto takes queued: real-time priority is refused, so the kernel's queue sends, on its"
          + " timer's grid",
      dispatch == .precise ? nil : "grant real-time priority as above",
      [("auto", .string(dispatch.rawValue))])
  }

  mutating func examineQueue(_ facts: MachineFacts) {
    let fine = "sudo modprobe snd-hrtimer; at every start of the machine: echo snd-hrtimer |"
    let remedy = fine + " sudo tee /etc/modules-load.d/snd-hrtimer.conf"
    switch facts.queue {
    case .ran(let timer, let advanced, let during):
      if let timer {
        let isCoarse = .milliseconds(1) < timer.period
        let period = JSON.Value.microseconds(timer.period)
        add(
          "queue timer", isCoarse ? .warn : .ok,
          "\(timer.name), period \(Self.microseconds(timer.period)) us"
            + (isCoarse ? ": queued pulses are as uneven" : ""),
          isCoarse ? remedy : nil, [("timer", .string(timer.name)), ("period_us", period)])
      } else {
        add(
          "queue timer", .warn, "/proc/asound/seq/timer does not tell which timer drives a queue",
          "mount /proc, or do without: precise dispatch needs no queue")
      }
      let came = "the queue's time advanced by \(Self.milliseconds(advanced)) ms"
      let text = "\(came) in \(Self.milliseconds(during)) ms"
      // A tenth allows for the grid of the coarsest timer.
      let error = abs((advanced - during).nanoseconds)
      if error <= during.nanoseconds / 10 {
        add("queue time", .ok, text)
      } else {
        if dispatch == .queued, status == .done { status = .unavailable }
        add(
          "queue time", dispatch == .queued ? .fail : .warn, "\(text): its timer does not tick",
          "\(remedy); until then play with --dispatch precise")
      }
    case .refused(let error):
      if dispatch == .queued, status == .done { status = .unavailable }
      add(
        "queue timer", dispatch == .queued ? .fail : .warn, "\(error)",
        error.remedy ?? "play with --dispatch precise, which needs no queue")
    case nil: break
    }
  }

  mutating func examineWakeUps(_ facts: MachineFacts) {
    if let wakeUps = facts.wakeUps, let median = wakeUps.lateness.quantile(0.5),
      let high = wakeUps.lateness.quantile(0.99)
    {
      let most = wakeUps.lateness.maximum
      // The precise thread wakes up to 150 us early and watches the clock; the queue is given
      // its events 80 ms and more ahead.
      let bound: HostTime.Span =
        dispatch == .precise ? .microseconds(150) : .milliseconds(20)
      let isLate = bound < high
      add(
        "wake-ups", isLate ? .warn : .ok,
        "late by \(Self.microseconds(median)) us in the median, p99 \(Self.microseconds(high)) us,"
          + " max \(Self.microseconds(most)) us, of \(wakeUps.lateness.count)",
        isLate
          ? "end what keeps the machine busy, set the CPU governor to performance, or use a"
            + " PREEMPT_RT kernel"
            + (dispatch == .precise ? "; or play with --dispatch queued" : "") : nil,
        [
          ("median_us", .microseconds(median)), ("p99_us", .microseconds(high)),
          ("max_us", .microseconds(most)), ("count", .integer(wakeUps.lateness.count)),
        ])
    } else {
      add(
        "wake-ups", .warn, "no thread could be started to measure them",
        "raise the limit of threads: ulimit -u")
    }
    let own = facts.wakeUps?.timerSlack ?? facts.timerSlack
    add(
      "timer slack", own <= 1_000 || dispatch == .precise ? .ok : .warn,
      "\(own) ns on the clock's thread, \(facts.timerSlack) ns elsewhere",
      own <= 1_000 || dispatch == .precise
        ? nil : "let the program set it: PR_SET_TIMERSLACK is refused here")
  }

  mutating func examineMachine(_ facts: MachineFacts) {
    add(
      "kernel", .ok,
      "\(facts.machine.kernel), \(facts.machine.isRealtimeKernel ? "" : "not ")PREEMPT_RT")
    let governors = facts.machine.governors
    add(
      "CPU governor", .ok,
      governors.isEmpty
        ? "none: the frequency is not Linux's to choose here"
        : governors.joined(separator: ", ")
          + (governors.contains("powersave")
            ? "; if wake-ups are late: sudo cpupower frequency-set -g performance" : ""))
    let hugePages = facts.machine.hugePages ?? "none: this kernel has no transparent ones"
    // What is gathered is others' memory; ours refuses. A PREEMPT_RT kernel can be interrupted at it.
    let isGathered = facts.machine.hugePages == "always" && !facts.machine.isRealtimeKernel
    add(
      "huge pages", .ok,
      hugePages
        + (isGathered
          ? "; if single pulses are late: echo madvise | sudo tee"
            + " /sys/kernel/mm/transparent_hugepage/enabled" : ""))
    if let terminal = facts.terminal {
      add("terminal", .ok, "\(terminal.columns) columns, \(terminal.rows) lines")
    } else {
      add("terminal", .ok, "the output is not a terminal")
    }
  }

  mutating func examineSound(_ facts: MachineFacts) {
    switch facts.sound {
    case .success(let inventory):
      add(
        "FluidSynth", .ok,
        "version \(inventory.version), audio drivers \(inventory.drivers.joined(separator: ", "))",
        nil, [("drivers", .list(inventory.drivers.map { .string($0) }))])
    case .failure(.library(let reason)):
      add(
        "FluidSynth", .warn, "clicks are sent, but not heard here: \(reason)",
        "sudo apt-get install libfluidsynth3")
    case .failure(let error):
      add("FluidSynth", .warn, "\(error)", "sudo apt-get install --reinstall libfluidsynth3")
    }
    switch facts.audio {
    case .success(let opened)?:
      add(
        "audio driver", .ok,
        "\(opened.driver), \(opened.reason.words); \(opened.rate) Hz, \(opened.block) frames at once,"
          + " an estimated latency of \(Self.milliseconds(opened.latency)) ms, made up for",
        nil, [("driver", .string(opened.driver))])
    case .failure(let error)?:
      add(
        "audio driver", .warn, "\(error)",
        "start a sound server (PipeWire, PulseAudio, JACK), or join the group audio for ALSA")
    case nil: break
    }
    let install = "sudo apt-get install fluid-soundfont-gm, or name one with --soundfont FILE"
    switch facts.soundFont {
    case .found(let path, let place): add("sound font", .ok, "\(path), from \(place)")
    case .builtIn(let sets, let found):
      add(
        "sound font", .ok,
        "built in: \(sets.joined(separator: ", "))"
          + (found.map { "; --sound font would take \($0)" } ?? ""))
    case .refused(.noFont(let tried)):
      add("sound font", .warn, "none; tried \(tried.joined(separator: ", "))", install)
    case .refused(.unusableFont(let path)):
      add(
        "sound font", .warn, "\(path) cannot be read or is not a sound font",
        "name a sound font (.sf2, .sf3) that is there and may be read")
    case .refused(let error): add("sound font", .warn, "\(error)", install)
    }
  }

  private static func microseconds(_ span: HostTime.Span) -> String {
    JSON.decimal(span.nanoseconds / 100, places: 1)
  }

  private static func milliseconds(_ span: HostTime.Span) -> String {
    JSON.decimal(span.nanoseconds / 100_000, places: 1)
  }
}
