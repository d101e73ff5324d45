internal import CLinux
internal import Glibc
internal import Synchronization

/// glibc's `getopt_long`, the only code here that speaks C: words in, tokens out.
enum GetOpt {
  /// One thing found on the command line, in its order.
  enum Token: Hashable, Sendable {
    /// The option with this code, and its value if it takes one.
    case option(code: Int32, value: String)
    /// A word that is no option.
    case operand(String)
    /// An option without the value it needs.
    case missingValue(code: Int32)
    /// An option that is not known, ambiguous, or has a value it does not take (then `code` is
    /// its own); `word` is where it stands.
    case refused(code: Int32, word: String)
  }

  /// A long option.
  struct Long: Sendable {
    let name: String
    let takesValue: Bool
    let code: Int32
  }

  /// getopt keeps its place in globals: one parse at a time.
  private static let turn = Mutex(())

  /// Takes `words` apart, up to the first word it refuses.
  ///
  /// `shorts` is of getopt's form.
  static func tokens(_ words: [String], shorts: String, longs: [Long]) -> [Token] {
    turn.withLock { _ in parse(words, shorts, longs) }
  }

  private static func parse(_ words: [String], _ shorts: String, _ longs: [Long]) -> [Token] {
    let argv = CStrings(["midimetro"] + words)
    let names = CStrings(longs.map(\.name))
    // getopt points into both until the last call.
    defer { withExtendedLifetime((argv, names)) {} }
    var table: [option] = unsafe []
    for (index, long) in longs.enumerated() {
      unsafe table.append(
        option(
          name: names.pointers[index],
          has_arg: long.takesValue ? required_argument : no_argument, flag: nil, val: long.code))
    }
    unsafe table.append(option())
    var tokens: [Token] = []
    midimetro_getopt_reset()
    while true {
      let place = max(1, Int(midimetro_getopt_place()))
      let code = unsafe midimetro_getopt_next(
        Int32(words.count + 1), argv.pointers, shorts, table, nil)
      let value = unsafe midimetro_getopt_argument().map { unsafe String(cString: $0) } ?? ""
      switch code {
      case -1:
        // What stands after "--" is operands too.
        return tokens + words.dropFirst(Int(midimetro_getopt_place()) - 1).map { .operand($0) }
      case 1: tokens.append(.operand(value))
      case Int32(UInt8(ascii: ":")):
        return tokens + [.missingValue(code: midimetro_getopt_offender())]
      case Int32(UInt8(ascii: "?")):
        let word = place <= words.count ? words[place - 1] : ""
        return tokens + [.refused(code: midimetro_getopt_offender(), word: word)]
      default: tokens.append(.option(code: code, value: value))
      }
    }
  }

  /// C strings that are freed together; the list ends in a null pointer.
  @safe private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
      count = strings.count
      unsafe pointers = .allocate(capacity: count + 1)
      for (index, string) in strings.enumerated() {
        unsafe (pointers + index).initialize(to: strdup(string))
      }
      unsafe (pointers + count).initialize(to: nil)
    }

    deinit {
      for index in 0..<count { unsafe free(pointers[index]) }
      unsafe pointers.deallocate()
    }
  }
}
