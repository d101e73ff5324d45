internal import MetronomeCore

/// Guessing what a misspelled word was meant to be.
enum Spelling {
  /// ` (did you mean --meter?)`, or nothing when no word is near enough.
  static func hint(_ word: String, among words: [String], prefix: String = "") -> String {
    let near = words.map { (word: $0, distance: EditDistance.between(word, $0)) }
      .filter { $0.distance <= max(1, min(3, $0.word.count / 2)) }
      .min { $0.distance < $1.distance }
    return near.map { " (did you mean \(prefix)\($0.word)?)" } ?? ""
  }
}
