extension [Range<Int64>] {
  /// Returns the ranges sorted and without empty ones. Overlapping and adjacent ranges are merged.
  package static func union(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Whether any range in this list overlaps any range in the other list. Both lists must be sorted and free of
  /// overlaps.
  func overlaps(_ others: [Range<Int64>]) -> Bool {
    var (index, other) = (0, 0)
    while index < count, other < others.count {
      if self[index].overlaps(others[other]) { return true }
      if self[index].upperBound <= others[other].upperBound { index += 1 } else { other += 1 }
    }
    return false
  }
}

extension Range<Int64> {
  /// Returns the parts of the range that are outside the other ranges, which must be sorted and free of overlaps.
  public func subtracting(_ others: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    var start = lowerBound
    // A binary search is worthwhile because a fragmented file needs one search per fragment.
    for other in others[others.partitioningIndex { $0.upperBound > lowerBound }...] {
      guard other.lowerBound < upperBound else { break }
      if other.lowerBound > start { result.append(start..<other.lowerBound) }
      start = Swift.max(start, other.upperBound)
    }
    if start < upperBound { result.append(start..<upperBound) }
    return result
  }
}

extension Array {
  /// Returns the index of the first element of a partitioned array's second part, or `endIndex` if that part is empty.
  /// - Parameter isInSecondPart: returns `false` for the elements of the first part, and `true` for all elements after
  ///   them.
  package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
