import MIDIClock
import TestSupport
import Testing

@testable import MetronomeCore
@testable import midimetro

struct DiagnosisTests {
  /// A machine without problems.
  private static var good: MachineFacts {
    var wakeUps = WakeUps(scheduling: .realtime(priority: 60), timerSlack: 1)
    for _ in 0..<99 { wakeUps.lateness.record(.microseconds(8)) }
    wakeUps.lateness.record(.microseconds(100))
    return MachineFacts(
      device: nil, client: .opened(number: 128, destinations: 3, sources: 1),
      queue: .ran(
        timer: QueueTimer(name: "HR timer", period: .microseconds(160)),
        advanced: .milliseconds(200), during: .milliseconds(200)),
      realtimeLimit: .atMost(95), memoryLimit: .unlimited, scheduling: .realtime(priority: 60),
      lockRefusal: nil, wakeUps: wakeUps, timerSlack: 50_000,
      machine: Machine(
        kernel: "6.1.0", isRealtimeKernel: true, governors: ["performance"],
        hugePages: "always"),
      sound: .success(SoundInventory(version: "2.3.1", drivers: ["alsa", "jack"])),
      soundFont: .found("/a.sf2", place: "--soundfont"),
      terminal: Terminal(columns: 80, rows: 24))
  }

  private static func diagnosis(_ change: (inout MachineFacts) -> Void) -> Diagnosis {
    var facts = good
    change(&facts)
    return Diagnosis(facts)
  }

  private static let hrtimer =
    "sudo modprobe snd-hrtimer; at every start of the machine: echo snd-hrtimer | sudo tee"
    + " /etc/modules-load.d/snd-hrtimer.conf"
  private static let limits =
    "put the lines '@audio - rtprio 95' and '@audio - memlock unlimited' into"
    + " /etc/security/limits.d/95-audio.conf, join the group (sudo usermod -aG audio $USER),"
    + " log in again"

  @Test func `a good machine has no findings`() {
    let diagnosis = Diagnosis(Self.good)
    #expect(
      diagnosis.text == """
        ok    sequencer device    /dev/snd/seq opens for reading and writing
        ok    sequencer client    opened as client 128
        ok    ports               3 ports to send to, 1 to listen to
        ok    real-time priority  SCHED_FIFO is granted at priority 60; limit 95
        ok    locked memory       granted; limit unlimited
        ok    dispatch            auto takes precise: the clock's own thread has real-time priority
        ok    queue timer         HR timer, period 160.0 us
        ok    queue time          the queue's time advanced by 200.0 ms in 200.0 ms
        ok    wake-ups            late by 8.1 us in the median, p99 8.1 us, max 100.0 us, of 100
        ok    timer slack         1 ns on the clock's thread, 50000 ns elsewhere
        ok    kernel              6.1.0, PREEMPT_RT
        ok    CPU governor        performance
        ok    huge pages          always
        ok    terminal            80 columns, 24 lines
        ok    FluidSynth          version 2.3.1, audio drivers alsa, jack
        ok    sound font          /a.sf2, from --soundfont
        midimetro can play here, dispatch precise; 0 warnings

        """)
    #expect(diagnosis.status == .done)
  }

  /// The text of a check's finding, on a machine with one problem.
  private struct Case: Sendable {
    let name: String
    let change: @Sendable (inout MachineFacts) -> Void
    let check: String
    let finding: String
    var remedy: String?
    var status = ExitStatus.done
  }

  private static let cases: [Case] = [
    Case(
      name: "no sequencer",
      change: { $0.device = SystemError(operation: "open", code: 2) },
      check: "sequencer device", finding: "fail /dev/snd/seq: open: No such file or directory",
      remedy: "sudo modprobe snd-seq; at every start of the machine: echo snd-seq | sudo tee"
        + " /etc/modules-load.d/snd-seq.conf; in a container: --device /dev/snd/seq",
      status: .unavailable),
    Case(
      name: "no permission",
      change: { $0.device = SystemError(operation: "open", code: 13) },
      check: "sequencer device", finding: "fail /dev/snd/seq: open: Permission denied",
      remedy: "sudo usermod -aG audio $USER, then log in again; or log in at the machine itself,"
        + " where its seat gives access",
      status: .noPermission),
    Case(
      name: "a device without a driver",
      change: { $0.device = SystemError(operation: "open", code: 6) },
      check: "sequencer device", finding: "fail /dev/snd/seq: open: No such device or address",
      remedy: "sudo modprobe snd-seq; at every start of the machine: echo snd-seq | sudo tee"
        + " /etc/modules-load.d/snd-seq.conf; in a container: --device /dev/snd/seq",
      status: .unavailable),
    Case(
      name: "too many clients",
      change: { $0.client = .refused(ALSAError(operation: "snd_seq_open", code: -12)) },
      check: "sequencer client", finding: "fail snd_seq_open: Cannot allocate memory",
      remedy: "too many sequencer clients; end some of those in /proc/asound/seq/clients",
      status: .unavailable),
    Case(
      name: "a client that is not permitted",
      change: { $0.client = .refused(ALSAError(operation: "snd_seq_open", code: -1)) },
      check: "sequencer client", finding: "fail snd_seq_open: Operation not permitted",
      remedy: "join the group audio (sudo usermod -aG audio $USER) and log in again",
      status: .noPermission),
    Case(
      name: "one port", change: { $0.client = .opened(number: 129, destinations: 1, sources: 0) },
      check: "ports", finding: "ok 1 port to send to, 0 to listen to"),
    Case(
      name: "no real-time priority",
      change: {
        $0.scheduling = .refused(1)
        $0.realtimeLimit = .atMost(0)
      },
      check: "real-time priority",
      finding:
        "warn SCHED_FIFO is refused (pthread_setschedparam: Operation not permitted); limit 0",
      remedy: limits),
    Case(
      name: "priority refused in spite of the limit", change: { $0.scheduling = .refused(1) },
      check: "real-time priority",
      finding:
        "warn SCHED_FIFO is refused (pthread_setschedparam: Operation not permitted); limit 95",
      remedy: "the limit would allow it, the kernel or the container does not; in a container:"
        + " --cap-add SYS_NICE"),
    Case(
      name: "the limit's priority", change: { $0.scheduling = .realtime(priority: 20) },
      check: "real-time priority", finding: "ok SCHED_FIFO is granted at priority 20; limit 95"),
    Case(
      name: "memory that cannot be locked",
      change: {
        $0.lockRefusal = 12
        $0.memoryLimit = .atMost(8_388_608)
      },
      check: "locked memory",
      finding: "warn refused (mlockall: Cannot allocate memory); limit 8192 KiB", remedy: limits),
    Case(
      name: "queued dispatch", change: { $0.scheduling = .refused(1) }, check: "dispatch",
      finding: "warn auto takes queued: real-time priority is refused, so the kernel's queue sends,"
        + " on its timer's grid",
      remedy: "grant real-time priority as above"),
    Case(
      name: "a coarse timer",
      change: {
        $0.queue = .ran(
          timer: QueueTimer(name: "system timer", period: .milliseconds(4)),
          advanced: .milliseconds(196), during: .milliseconds(200))
      },
      check: "queue timer",
      finding: "warn system timer, period 4000.0 us: queued pulses are as uneven",
      remedy: hrtimer),
    Case(
      name: "a timer of exactly a millisecond",
      change: {
        $0.queue = .ran(
          timer: QueueTimer(name: "system timer", period: .milliseconds(1)),
          advanced: .milliseconds(200), during: .milliseconds(200))
      },
      check: "queue timer", finding: "ok system timer, period 1000.0 us"),
    Case(
      name: "a timer the kernel does not tell",
      change: {
        $0.queue = .ran(timer: nil, advanced: .milliseconds(200), during: .milliseconds(200))
      },
      check: "queue timer",
      finding: "warn /proc/asound/seq/timer does not tell which timer drives a queue",
      remedy: "mount /proc, or do without: precise dispatch needs no queue"),
    Case(
      name: "a queue that stands still, not needed",
      change: {
        $0.queue = .ran(timer: nil, advanced: .zero, during: .milliseconds(200))
      },
      check: "queue time",
      finding: "warn the queue's time advanced by 0.0 ms in 200.0 ms: its timer does not tick",
      remedy: hrtimer + "; until then play with --dispatch precise"),
    Case(
      name: "a queue that stands still and is needed",
      change: {
        $0.queue = .ran(timer: nil, advanced: .zero, during: .milliseconds(200))
        $0.scheduling = .refused(1)
      },
      check: "queue time",
      finding: "fail the queue's time advanced by 0.0 ms in 200.0 ms: its timer does not tick",
      remedy: hrtimer + "; until then play with --dispatch precise", status: .unavailable),
    Case(
      name: "no queue to be had",
      change: {
        $0.queue = .refused(ALSAError(operation: "snd_seq_alloc_named_queue", code: -12))
      },
      check: "queue timer", finding: "warn snd_seq_alloc_named_queue: Cannot allocate memory",
      remedy: "all sequencer queues are taken; end some of the programs in"
        + " /proc/asound/seq/queues"),
    Case(
      name: "no queue where one is needed",
      change: {
        $0.queue = .refused(ALSAError(operation: "snd_seq_alloc_named_queue", code: -12))
        $0.scheduling = .refused(1)
      },
      check: "queue timer", finding: "fail snd_seq_alloc_named_queue: Cannot allocate memory",
      remedy: "all sequencer queues are taken; end some of the programs in"
        + " /proc/asound/seq/queues",
      status: .unavailable),
    Case(
      name: "late wake-ups",
      change: { for _ in 0..<10 { $0.wakeUps?.lateness.record(.milliseconds(2)) } },
      check: "wake-ups",
      finding: "warn late by 8.1 us in the median, p99 2000.0 us, max 2000.0 us, of 110",
      remedy: "end what keeps the machine busy, set the CPU governor to performance, or use a"
        + " PREEMPT_RT kernel; or play with --dispatch queued"),
    Case(
      name: "late wake-ups that the queue makes up for",
      change: {
        for _ in 0..<10 { $0.wakeUps?.lateness.record(.milliseconds(2)) }
        $0.scheduling = .refused(1)
      },
      check: "wake-ups",
      finding: "ok late by 8.1 us in the median, p99 2000.0 us, max 2000.0 us, of 110"),
    Case(
      name: "no thread to be had", change: { $0.wakeUps = nil }, check: "wake-ups",
      finding: "warn no thread could be started to measure them",
      remedy: "raise the limit of threads: ulimit -u"),
    Case(
      name: "ordinary timer slack",
      change: {
        $0.wakeUps?.timerSlack = 50_000
        $0.scheduling = .refused(1)
      },
      check: "timer slack", finding: "warn 50000 ns on the clock's thread, 50000 ns elsewhere",
      remedy: "let the program set it: PR_SET_TIMERSLACK is refused here"),
    Case(
      name: "an ordinary kernel", change: { $0.machine.isRealtimeKernel = false },
      check: "kernel", finding: "ok 6.1.0, not PREEMPT_RT"),
    Case(
      name: "power saving", change: { $0.machine.governors = ["powersave", "performance"] },
      check: "CPU governor",
      finding: "ok powersave, performance; if wake-ups are late: sudo cpupower frequency-set -g"
        + " performance"),
    Case(
      name: "no governor", change: { $0.machine.governors = [] }, check: "CPU governor",
      finding: "ok none: the frequency is not Linux's to choose here"),
    Case(
      name: "huge pages for all on an ordinary kernel",
      change: { $0.machine.isRealtimeKernel = false }, check: "huge pages",
      finding: "ok always; if single pulses are late: echo madvise | sudo tee"
        + " /sys/kernel/mm/transparent_hugepage/enabled"),
    Case(
      name: "huge pages for those who ask",
      change: {
        $0.machine.isRealtimeKernel = false
        $0.machine.hugePages = Machine.chosen("always [madvise] never")
      }, check: "huge pages", finding: "ok madvise"),
    Case(
      name: "no huge pages", change: { $0.machine.hugePages = Machine.chosen("always") },
      check: "huge pages", finding: "ok none: this kernel has no transparent ones"),
    Case(
      name: "no FluidSynth", change: { $0.sound = .failure(.library("no such file")) },
      check: "FluidSynth", finding: "warn clicks are sent, but not heard here: no such file",
      remedy: "sudo apt-get install libfluidsynth3"),
    Case(
      name: "a broken FluidSynth", change: { $0.sound = .failure(.failed("new_fluid_settings")) },
      check: "FluidSynth", finding: "warn new_fluid_settings failed",
      remedy: "sudo apt-get install --reinstall libfluidsynth3"),
    Case(
      name: "an audio driver that works",
      change: {
        $0.audio = .success(
          SoundOpened(
            driver: "pulseaudio",
            reason: .firstWorking(after: [.init(driver: "pipewire", isSilent: false)]),
            sound: "wood",
            rate: 48_000, block: 256, buffer: 1_024,
            latency: HostTime.Span(nanoseconds: 21_333_333), delay: .zero))
      }, check: "audio driver",
      finding: "ok pulseaudio, the first that works (no pipewire); 48000 Hz, 256 frames at once, an"
        + " estimated latency of 21.3 ms, made up for"),
    Case(
      name: "no audio driver", change: { $0.audio = .failure(.noDriver(nil, said: nil)) },
      check: "audio driver",
      finding:
        "warn new_fluid_audio_driver2: no audio driver works here; is a sound server running?",
      remedy: "start a sound server (PipeWire, PulseAudio, JACK), or join the group audio for ALSA"),
    Case(
      name: "no font is named",
      change: { $0.soundFont = .builtIn(sets: ["wood", "beep"], found: "/a.sf2") },
      check: "sound font", finding: "ok built in: wood, beep; --sound font would take /a.sf2"),
    Case(
      name: "no sound font", change: { $0.soundFont = .refused(.noFont(tried: ["/a", "/b"])) },
      check: "sound font", finding: "warn none; tried /a, /b",
      remedy: "sudo apt-get install fluid-soundfont-gm, or name one with --soundfont FILE"),
    Case(
      name: "a sound font that is not there",
      change: { $0.soundFont = .refused(.unusableFont("/x.sf2")) }, check: "sound font",
      finding: "warn /x.sf2 cannot be read or is not a sound font",
      remedy: "name a sound font (.sf2, .sf3) that is there and may be read"),
    Case(
      name: "no terminal", change: { $0.terminal = nil }, check: "terminal",
      finding: "ok the output is not a terminal"),
  ]

  @Test(arguments: cases.indices)
  func `each fact has its finding, remedy and exit status`(index: Int) throws {
    let one = Self.cases[index]
    let diagnosis = Self.diagnosis(one.change)
    let found = try #require(
      diagnosis.findings.first { $0.check == one.check && $0.level != .ok }
        ?? diagnosis.findings.first { $0.check == one.check })
    #expect("\(found.level.rawValue) \(found.detail)" == one.finding, "\(one.name)")
    #expect(found.remedy == one.remedy, "\(one.name)")
    #expect(diagnosis.status == one.status, "\(one.name)")
  }

  @Test(arguments: cases.indices)
  func `only findings have a remedy, and only failures change the exit status`(
    index: Int
  ) {
    let diagnosis = Self.diagnosis(Self.cases[index].change)
    for finding in diagnosis.findings {
      #expect((finding.remedy != nil) == (finding.level != .ok), "\(finding.check)")
      #expect(!finding.detail.contains("\n"))
    }
    #expect((diagnosis.status != .done) == diagnosis.findings.contains { $0.level == .fail })
  }

  @Test(arguments: cases.indices)
  func `the JSON form is a well-formed object per check and a summary`(index: Int) throws {
    let diagnosis = Self.diagnosis(Self.cases[index].change)
    let lines = diagnosis.json.split(separator: "\n")
    let objects = try lines.map { try StrictJSON.parse(String($0)) }
    #expect(objects.count == diagnosis.findings.count + 1)
    for (object, finding) in zip(objects, diagnosis.findings) {
      #expect(object["type"] == .string("check"))
      #expect(object["name"] == .string(finding.check))
      #expect(object["level"] == .string(finding.level.rawValue))
      #expect(object["detail"] == .string(finding.detail))
      #expect(object["remedy"] == finding.remedy.map { .string($0) } ?? .null)
    }
    let summary = try #require(objects.last)
    #expect(summary["type"] == .string("summary"))
    #expect(summary["can_play"] == .bool(diagnosis.status == .done))
    #expect(summary["dispatch"] == .string(diagnosis.dispatch.rawValue))
    for level in [Diagnosis.Level.ok, .warn, .fail] {
      let count = diagnosis.findings.filter { $0.level == level }.count
      #expect(summary[level.rawValue] == .number("\(count)"))
    }
  }

  @Test func `without a device no further sequencer checks are made`() {
    let diagnosis = Self.diagnosis {
      $0.device = SystemError(operation: "open", code: 2)
      $0.client = nil
      $0.queue = nil
    }
    let checks = diagnosis.findings.map(\.check)
    #expect(!checks.contains { ["sequencer client", "ports", "queue timer"].contains($0) })
    #expect(checks.contains("real-time priority"))
    #expect(diagnosis.text.hasSuffix("midimetro cannot play here: see sequencer device\n"))
  }

  @Test func `the verdict counts the warnings`() {
    let one = Self.diagnosis { $0.soundFont = .refused(.noFont(tried: [])) }
    #expect(one.text.hasSuffix("midimetro can play here, dispatch precise; 1 warning\n"))
    let two = Self.diagnosis { $0.scheduling = .refused(1) }
    #expect(two.text.hasSuffix("midimetro can play here, dispatch queued; 2 warnings\n"))
  }

  @Test func `any machine can be examined`() throws {
    let environment = Environment()
    let options = try DoctorOptions(Arguments(), environment)
    let diagnosis = Doctor.examine(options)
    let expected = ["sequencer device", "real-time priority", "wake-ups", "kernel", "FluidSynth"]
    for check in expected { #expect(diagnosis.findings.contains { $0.check == check }) }
    #expect((diagnosis.status == .done) == sequencerIsPresent)
    for line in diagnosis.json.split(separator: "\n") { _ = try StrictJSON.parse(String(line)) }
  }
}
