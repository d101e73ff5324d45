import Glibc

/// Writes the click sets as a sound font to standard output; used by Scripts/make-docs.
@main
enum ClickFont {
  static func main() {
    var rest = SoundFontFile.bytes()[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 else {
        unsafe perror("click-font: standard output")
        exit(EXIT_FAILURE)
      }
      rest = rest.dropFirst(count)
    }
  }
}
