extension ArraySlice<UInt8> {
  /// The bytes without the mark that some editors write at the beginning of a UTF-8 text.
  public var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
  }
}
