extension Array {
  /// The index of the first element that `isBeyond` is true of; the count when there is none.
  ///
  /// From that element on it is true of all, so halving finds it.
  func partition(_ isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
