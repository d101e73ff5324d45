extension Array {
  /// The index of the first element for which `isBeyond` is true; the count if there is none.
  ///
  /// Binary search: `isBeyond` must be true for every later element as well.
  func partition(_ isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
