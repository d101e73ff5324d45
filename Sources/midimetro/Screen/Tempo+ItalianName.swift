internal import MIDIClock

extension Tempo {
  /// The Italian name, as printed on the scales of mechanical metronomes; below and above those
  /// scales the usual words.
  var italianName: String {
    switch milliBPM {
    case ..<40_000: "Grave"
    case ..<60_000: "Largo"
    case ..<66_000: "Larghetto"
    case ..<76_000: "Adagio"
    case ..<108_000: "Andante"
    case ..<120_000: "Moderato"
    case ..<168_000: "Allegro"
    case ..<200_000: "Presto"
    default: "Prestissimo"
    }
  }
}
