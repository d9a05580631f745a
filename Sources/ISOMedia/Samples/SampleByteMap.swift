/// Maps sample bytes from the source to the new file. The map is a list of spans, in file order, that are copied or
/// replaced.
struct SampleByteMap {
  struct Span: Equatable {
    var old: Range<Int64>
    /// The bytes that replace the span; `nil` to copy the original bytes.
    var replacement: [UInt8]?
    /// The start offset in the new file.
    var newStart: Int64 = 0

    var newCount: Int64 { replacement.map { Int64($0.count) } ?? old.upperBound - old.lowerBound }
    var piece: FilePiece { replacement.map { .bytes($0) } ?? .copy(old) }
  }

  private(set) var spans: [Span] = []

  /// Creates a map from the samples to keep and the cuts to make in them.
  /// - Parameters:
  ///   - kept: the byte ranges of the kept samples, sorted and without overlaps.
  ///   - cuts: the sorted cuts, which must be inside the kept ranges.
  init(kept: [Range<Int64>], cuts: [MovieEdits.Cut]) {
    var cuts = cuts[...]
    for range in kept {
      var start = range.lowerBound
      while let cut = cuts.first, cut.range.lowerBound < range.upperBound {
        cuts.removeFirst()
        // Cuts outside the kept samples are ignored.
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

  /// Returns the indexes of the spans inside a byte range.
  func spans(in range: Range<Int64>) -> Range<Int> {
    let first = spans.partitioningIndex { $0.old.lowerBound >= range.lowerBound }
    let end = spans.partitioningIndex { $0.old.lowerBound >= range.upperBound }
    return first..<max(first, end)
  }

  mutating func moveSpan(_ index: Int, to position: Int64) { spans[index].newStart = position }

  /// Returns a sample byte's offset in the new file; `nil` if the byte doesn't belong to any sample.
  func newOffset(of old: Int64) -> Int64? {
    let index = spans.partitioningIndex { $0.old.upperBound > old }
    guard index < spans.count, spans[index].old.lowerBound <= old else { return nil }
    return spans[index].newStart + (spans[index].replacement == nil ? old - spans[index].old.lowerBound : 0)
  }

  /// Returns a sample's size in the new file, in bytes.
  func newByteCount(of range: Range<Int64>) -> Int64 {
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
