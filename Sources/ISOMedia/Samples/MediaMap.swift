/// Where the bytes of samples go: spans of the source that stay, or are replaced, in file order.
struct MediaMap {
  struct Span: Equatable {
    var old: Range<Int64>
    /// What is written instead; `nil` for the bytes themselves.
    var replacement: [UInt8]?
    /// Where it begins in the new file.
    var newStart: Int64 = 0

    var newCount: Int64 { replacement.map { Int64($0.count) } ?? old.upperBound - old.lowerBound }
    var piece: FilePiece { replacement.map { .bytes($0) } ?? .copy(old) }
  }

  private(set) var spans: [Span] = []

  /// - Parameters:
  ///   - kept: where samples are; sorted, not overlapping.
  ///   - cuts: sorted, inside the kept ranges.
  init(kept: [Range<Int64>], cuts: [MovieEdits.Cut]) {
    var cuts = cuts[...]
    for range in kept {
      var start = range.lowerBound
      while let cut = cuts.first, cut.range.lowerBound < range.upperBound {
        cuts.removeFirst()
        // A cut elsewhere cuts nothing.
        guard cut.range.lowerBound >= start, cut.range.upperBound <= range.upperBound else { continue }
        append(start..<cut.range.lowerBound)
        append(cut.range, replacement: cut.replacement)
        start = cut.range.upperBound
      }
      append(start..<range.upperBound)
    }
  }

  private mutating func append(_ range: Range<Int64>, replacement: [UInt8]? = nil) {
    if !range.isEmpty { spans.append(Span(old: range, replacement: replacement)) }
  }

  /// The spans inside a box, as indexes.
  func spans(in range: Range<Int64>) -> Range<Int> {
    let first = spans.partitioningIndex { $0.old.lowerBound >= range.lowerBound }
    let end = spans.partitioningIndex { $0.old.lowerBound >= range.upperBound }
    return first..<max(first, end)
  }

  mutating func place(_ index: Int, at position: Int64) { spans[index].newStart = position }

  /// Where a byte of a sample goes; `nil` when no sample is there.
  func newStart(of old: Int64) -> Int64? {
    let index = spans.partitioningIndex { $0.old.upperBound > old }
    guard index < spans.count, spans[index].old.lowerBound <= old else { return nil }
    return spans[index].newStart + (spans[index].replacement == nil ? old - spans[index].old.lowerBound : 0)
  }

  /// Bytes of a sample in the new file.
  func newCount(of range: Range<Int64>) -> Int64 {
    var count: Int64 = 0
    var index = spans.partitioningIndex { $0.old.upperBound > range.lowerBound }
    while index < spans.count, spans[index].old.lowerBound < range.upperBound {
      let span = spans[index]
      count += span.replacement.map { Int64($0.count) } ?? Int64(span.old.clamped(to: range).count)
      index += 1
    }
    return count
  }
}
