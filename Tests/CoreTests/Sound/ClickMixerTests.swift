import ClickSound
import MIDIClock
import Synchronization
import Testing

@testable import MetronomeCore

/// The mixer as an audio driver calls it, without a driver.
struct ClickMixerTests {
  /// A stream of periods from a steady device.
  private final class Stream {
    let commands = HandoverQueue<SoundCommand>(capacity: 256)
    let controls: SoundControls
    let plan: AudioPlan
    let mixer: ClickMixer
    private(set) var left: [Float] = []
    private var frame: Int64 = 0
    /// The first frame is requested when the buffer is filled, and played one buffer later.
    let begin = HostTime(nanoseconds: 1_000_000_000)

    init(period: Int = 256, volume: Int64 = 100, bank: Int = 0, notes: ClickVoice = .standard) {
      plan = AudioPlan(period: period)
      controls = SoundControls(volume: volume, bank: bank)
      mixer = ClickMixer(
        VoiceTable(rate: 48_000, notes: notes), plan: plan, commands: commands,
        controls: controls)
    }

    /// When `frame` is heard.
    func heard(_ frame: Int64) -> HostTime {
      begin + HostTime.Span(nanoseconds: frame * 62_500 / 3)
    }

    func run(frames: Int, block: Int? = nil) {
      let block = block ?? plan.period
      let buffer = Int64(plan.period * plan.count)
      var one = [Float](repeating: 7, count: block)
      var other = one
      for _ in 0..<(frames / block) {
        let now = frame < buffer ? begin : heard(frame - buffer)
        unsafe mixer.render(&one, &other, frames: block, at: now)
        #expect(one == other)
        left += one
        frame += Int64(block)
      }
    }

    func click(_ accent: Accent, at frame: Int64) {
      _ = commands.push(.click(ClickSchedule.Click(accent: accent, at: heard(frame))))
    }

    /// The frames at which silence ends.
    var onsets: [Int64] {
      var found: [Int64] = []
      var last = -4_800
      for (index, value) in left.enumerated() where value.magnitude > 0.01 {
        if index - last > 2_000 { found.append(Int64(index)) }
        last = index
      }
      return found
    }
  }

  @Test(arguments: [32, 64, 256, 512, 1_024])
  func `a click is heard at its frame, whatever the period`(period: Int) {
    let stream = Stream(period: period)
    stream.run(frames: 6_144)
    let wanted: [Int64] = [12_000, 24_001, 36_063, 48_257]
    for frame in wanted { stream.click(.strong, at: frame) }
    stream.run(frames: 49_152)
    #expect(stream.onsets == wanted)
    #expect(stream.controls.clicks.load(ordering: .relaxed) == 4)
    #expect(stream.controls.late.load(ordering: .relaxed) == 0)
  }

  @Test
  func `after the cutoff nothing begins, and the last onset is reported at the time it is heard`() {
    let stream = Stream()
    stream.run(frames: 6_144)
    stream.click(.strong, at: 12_000)
    stream.click(.strong, at: 24_000)
    // What is heard at frame 12 000 was passed to the driver one buffer earlier.
    stream.run(frames: 6_144)
    let heard = HostTime(
      nanoseconds: stream.controls.lastOnset.load(ordering: .sequentiallyConsistent))
    #expect(abs((heard - stream.heard(12_000)).nanoseconds) < 21_000)
    stream.controls.cutoff.store(
      stream.heard(11_000).nanoseconds, ordering: .sequentiallyConsistent)
    stream.run(frames: 24_576)
    #expect(stream.onsets == [12_000])
    #expect(stream.controls.clicks.load(ordering: .relaxed) == 1)
  }

  @Test func `the click sounds like the set's, by accent and velocity`() {
    for (bank, set) in ClickSet.allCases.enumerated() {
      for (accent, velocity): (Accent, UInt8) in [(.strong, 127), (.medium, 100), (.weak, 80)] {
        let stream = Stream(bank: bank)
        stream.run(frames: 6_144)
        stream.click(accent, at: 10_000)
        stream.run(frames: 12_288)
        let frames = set.frames(accent, rate: 48_000)
        for (index, frame) in frames.enumerated() {
          let wanted = frame * ClickSet.gain(velocity: velocity)
          #expect((stream.left[10_000 + index] - wanted).magnitude < 1e-6)
        }
      }
    }
  }

  @Test func `volume, mute and the set change while running, without a step`() {
    let stream = Stream()
    stream.run(frames: 6_144)
    for index in 0..<6 as Range<Int64> { stream.click(.strong, at: 12_000 + index * 9_600) }
    stream.run(frames: 14_848)
    stream.controls.volume.store(500, ordering: .relaxed)
    stream.run(frames: 9_728)
    stream.controls.volume.store(0, ordering: .relaxed)
    stream.run(frames: 9_728)
    stream.controls.volume.store(2_000, ordering: .relaxed)
    stream.run(frames: 9_472)
    stream.controls.volume.store(1_000, ordering: .relaxed)
    stream.controls.bank.store(1, ordering: .relaxed)
    stream.run(frames: 19_456)
    let peaks = (0..<6).map { index in
      let start = 12_000 + index * 9_600
      return stream.left[start..<min(stream.left.count, start + 4_000)].reduce(0) {
        max($0, $1.magnitude)
      }
    }
    #expect((peaks[0] - 0.95).magnitude < 0.01)
    #expect((peaks[1] - 0.475).magnitude < 0.01)
    #expect(peaks[2] == 0)
    // At twice the volume it is clipped to full scale.
    #expect(peaks[3] == 1)
    #expect((peaks[4] - 0.8).magnitude < 0.02)
  }

  @Test func `a change in the middle of a click is a slope, not a step`() {
    let stream = Stream(bank: 1)
    stream.run(frames: 6_144)
    stream.click(.weak, at: 8_000)
    stream.run(frames: 2_304)
    stream.controls.volume.store(0, ordering: .relaxed)
    stream.run(frames: 2_304)
    let steps = zip(stream.left[8_010...], stream.left[8_011...]).map { ($0 - $1).magnitude }
    // An 880 Hz tone at that level changes by at most this much per frame.
    #expect((steps.max() ?? 1) < 0.04)
    #expect(stream.left[8_800...].allSatisfy { $0 == 0 })
  }

  @Test func `cancelled clicks are not heard, and clicks that have begun ring out`() {
    let stream = Stream()
    stream.run(frames: 6_144)
    for frame in [12_000, 16_000, 20_000] as [Int64] { stream.click(.weak, at: frame) }
    _ = stream.commands.push(.cancel(after: stream.heard(16_000)))
    stream.run(frames: 20_480)
    #expect(stream.onsets == [12_000, 16_000])
  }

  @Test func `no burst follows a dropout`() {
    let stream = Stream()
    stream.run(frames: 6_144)
    // Clicks for a quarter of a second that the device missed, and one still to come.
    for frame in stride(from: -12_000 as Int64, to: 4_000, by: 1_000) {
      stream.click(.strong, at: frame)
    }
    stream.click(.strong, at: 14_000)
    stream.run(frames: 12_288)
    #expect(stream.onsets == [14_000])
    #expect(stream.controls.missed.load(ordering: .relaxed) == 16)
  }

  @Test func `a larger driver period delays all clicks equally`() {
    let stream = Stream(period: 256)
    stream.run(frames: 8_192, block: 2_048)
    for frame in [24_000, 36_000, 48_000] as [Int64] { stream.click(.strong, at: frame) }
    stream.run(frames: 65_536, block: 2_048)
    let delay = stream.controls.delay.load(ordering: .relaxed)
    #expect(delay > 0)
    let gaps = zip(stream.onsets, stream.onsets.dropFirst()).map { $1 - $0 }
    #expect(gaps == [12_000, 12_000])
  }

  @Test func `a buffer is at least 20 ms and two periods`() {
    for (period, count) in [(16, 64), (64, 16), (256, 4), (512, 2), (1_024, 2), (8_192, 2)] {
      #expect(AudioPlan(period: period).count == count)
    }
    // A buffer of 1024, a period of 256, and 5 ms.
    #expect(AudioPlan(period: 256).lead == HostTime.Span(nanoseconds: 31_666_666))
  }
}

/// Names of drivers, and what happens if they do not exist.
@Suite(.serialized) struct AudioDriverTests {
  @Test func `a driver may name its device`() {
    #expect(AudioDriver(text: "alsa") == AudioDriver(name: "alsa"))
    #expect(AudioDriver(text: "alsa:hw:1,0") == AudioDriver(name: "alsa", device: "hw:1,0"))
    #expect(AudioDriver(text: "alsa:") == AudioDriver(name: "alsa"))
    #expect(AudioDriver(text: "alsa:hw:1,0").text == "alsa:hw:1,0")
  }

  @Test func `sound servers are tried before the card, and JACK only where its server runs`() {
    let built = ["alsa", "file", "jack", "oss", "pulseaudio", "pipewire"]
    #expect(
      AudioDriver.candidates(built: built, jackIsRunning: false).map(\.name)
        == ["pipewire", "pulseaudio", "alsa"])
    #expect(
      AudioDriver.candidates(built: ["alsa", "jack"], jackIsRunning: true).map(\.name)
        == ["jack", "alsa"])
  }

  private func outcome(_ driver: String?) throws -> SoundNews? {
    var settings = SoundSettings()
    settings.driver = driver.map { AudioDriver(text: $0) }
    let player = try ClickPlayer.start(settings)
    defer { #expect(player.stop(by: SystemClock.now + .seconds(5))) }
    var set = PollSet([player.descriptor])
    let deadline = SystemClock.now + .seconds(8)
    while SystemClock.now < deadline {
      _ = try set.wait(until: deadline)
      if let news = player.takeNews().first { return news }
    }
    return nil
  }

  @Test func `a driver that does not exist is refused, with a list of those that do (F109)`() throws
  {
    guard case .failed(.unknownDriver("nosuch", let built))? = try outcome("nosuch") else {
      Issue.record("no such failure")
      return
    }
    #expect(built.contains("alsa"))
  }

  @Test func `a device that does not exist is refused with the reason, and nothing hangs (F109)`()
    throws
  {
    guard case .failed(.noDriver("alsa:hw:77", _))? = try outcome("alsa:hw:77") else {
      Issue.record("no such failure")
      return
    }
  }
}
