internal import Glibc
import MIDIClock

/// Measures how accurately a tempo is read from taps, compared with other programs, and checks the
/// targets.
///
/// All taps are synthetic and seeded, so every figure is reproducible. Prints Markdown; the exit
/// status is 1 if a target is missed.
@main
enum TapBench {
  static func main() {
    var missed = 0
    print(
      "# Taps at 120\n\n\(runs.count) seeded players a figure; root mean square of the error.\n")
    print("| taps | player | measured | target |\n|---|---|---|---|")
    for goal in goals {
      let error = rootMeanSquare(goal.player, goal.taps) { Ours() }
      let isMet = error <= goal.target
      if !isMet { missed += 1 }
      print(
        "| \(goal.taps) | \(goal.player.name) | \(number(error)) |"
          + " \(number(goal.target))\(isMet ? "" : " **missed**") |")
    }
    print("\n## When the tempo changes\n")
    print("After twelve taps at 120, taps until the tempo shown is within 2 % for good.\n")
    print("| to | player | mean | 95th percentile | worst |\n|---|---|---|---|---|")
    for bpm in [60.0, 100, 112, 126, 132, 180] {
      let taps = tapsToFollow(bpm, .independent(15)).sorted()
      let mean = Double(taps.reduce(0, +)) / Double(taps.count)
      print(
        "| \(number(bpm)) | 15 ms | \(number(mean)) | \(taps[taps.count * 19 / 20]) |"
          + " \(taps[taps.count - 1]) |")
    }
    let breaks = falseBreaks(.independent(15))
    print("\nSeries begun anew without reason, in \(runs.count) times 32 taps: \(breaks).")
    print("\n## Beside others' ways\n")
    let heads = columns.map { "\($0.taps) taps, \($0.player.name)" }
    print("| reader | \(heads.joined(separator: " | ")) |")
    print("|---" + String(repeating: "|---", count: columns.count) + "|")
    for (name, make) in readers {
      let cells = columns.map { number(rootMeanSquare($0.player, $0.taps, make)) }
      print("| \(name) | \(cells.joined(separator: " | ")) |")
    }
    print("\n\(missed == 0 ? "Every target is met." : "\(missed) targets missed.")")
    exit(missed == 0 ? 0 : 1)
  }

  private static let runs: Range<UInt64> = 0..<2_500

  private struct Column {
    let taps: Int
    let player: Player
  }

  private static let columns = [
    Column(taps: 4, player: .independent(15)), Column(taps: 8, player: .independent(15)),
    Column(taps: 16, player: .independent(15)),
    Column(taps: 8, player: .timekeeper(15, hand: 6)),
    Column(taps: 16, player: .timekeeper(15, hand: 6)),
    Column(taps: 8, player: .missedAndWild), Column(taps: 16, player: .missedAndWild),
    Column(taps: 16, player: .independent(5)), Column(taps: 16, player: .independent(30)),
  ]

  private static let goals: [(taps: Int, player: Player, target: Double)] = [
    (4, .independent(15), 1.65), (8, .independent(15), 0.6), (16, .independent(15), 0.21),
    (8, .missedAndWild, 0.75), (16, .missedAndWild, 0.22),
  ]

  private static func rootMeanSquare(
    _ player: Player, _ taps: Int, _ make: () -> any TapReader
  ) -> Double {
    var squares = 0.0
    for seed in runs {
      let reader = make()
      for time in player.taps(taps, bpm: 120, seed: seed) { reader.tap(time) }
      let error = (reader.bpm ?? 0) - 120
      squares += error * error
    }
    return (squares / Double(runs.count)).squareRoot()
  }
}

extension TapBench {
  /// For each of 500 players, the number of taps at `bpm` needed after twelve at 120.
  private static func tapsToFollow(_ bpm: Double, _ player: Player) -> [Int] {
    (UInt64(0)..<500).map { seed in
      let old = player.taps(12, bpm: 120, seed: seed)
      let new = player.taps(20, bpm: bpm, seed: seed + 10_000)
      let reader = Ours()
      for time in old { reader.tap(time) }
      let shift = old[11] + Int64(60e9 / bpm) - new[0]
      var settled = 0
      for (index, time) in new.enumerated() {
        reader.tap(time + shift)
        if ((reader.bpm ?? 0) / bpm - 1).magnitude > 0.02 { settled = index + 1 }
      }
      return settled + 1
    }
  }

  private static func falseBreaks(_ player: Player) -> Int {
    runs.reduce(0) { sum, seed in
      var estimator = TapEstimator()
      let verdicts = player.taps(32, bpm: 120, seed: seed).map {
        estimator.receive(HostTime(nanoseconds: $0))
      }
      return sum + verdicts.dropFirst().count { $0 == .newSeries }
    }
  }
}

/// Formats a number with at most three decimals, without trailing zeros.
func number(_ value: Double) -> String {
  guard value.isFinite else { return "-" }
  let rounded = (value * 1_000).rounded() / 1_000
  return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
}
