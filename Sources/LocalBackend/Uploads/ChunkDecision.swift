import ClipModel

/// What an upload request means, given what is stored: the whole protocol as a pure function.
///
/// The rules are those of a Google Cloud Storage resumable session, which Mux's direct-upload URLs speak.
enum ChunkDecision: Equatable, Sendable {
  /// Take `writing` out of the body, after `skipping` bytes that are stored already.
  case receive(Chunk)
  /// 308: report how much is stored.
  case report
  /// Everything is stored: close the session with this size.
  case finish(byteCount: Int64)
  case refuse(Refusal)

  struct Chunk: Equatable, Sendable {
    /// Bytes of the body below the stored offset: repeated ones, ignored.
    var skipping: Int64
    /// Where the rest belongs in the file; starts at the stored offset.
    var writing: Range<Int64>
    var total: Int64?

    var isFinal: Bool { total == writing.upperBound }
  }

  enum Refusal: Equatable, Sendable {
    case malformed(String)
    case lengthMissing
    case tooLarge(limit: Int64)
    /// The chunk begins above the stored offset.
    case gap
  }

  /// Every chunk but the last has a multiple of 256 KiB.
  static let granularity: Int64 = 262_144

  /// - Parameters:
  ///   - contentRange: the header as it came; `nil` means that the body is the whole file.
  ///   - contentLength: bytes of the body as announced; a body of unknown length looks like a broken one.
  ///   - stored: bytes that are stored, from the beginning.
  ///   - total: bytes of the whole file, if an earlier request named them.
  ///   - limit: the most bytes a file may have.
  static func make(
    contentRange: String?, contentLength: Int64?, stored: Int64, total: Int64?, limit: Int64
  ) -> ChunkDecision {
    guard let contentLength else { return .refuse(.lengthMissing) }
    guard let contentRange else {
      guard contentLength > 0 else { return .refuse(.malformed("the file is empty")) }
      return receive(0..<contentLength, newTotal: contentLength, stored: stored, total: total, limit: limit)
    }
    switch ContentRange(contentRange) {
    case nil:
      return .refuse(.malformed("Content-Range is malformed"))
    case .query(let asked):
      guard contentLength == 0 else { return .refuse(.malformed("a status query has no body")) }
      // `*/*` never finishes, `*/total` does when exactly that many bytes are stored.
      guard let asked else { return .report }
      guard asked > 0 else { return .refuse(.malformed("the file is empty")) }
      guard asked <= limit else { return .refuse(.tooLarge(limit: limit)) }
      guard total.map({ $0 == asked }) ?? true, stored <= asked else { return .refuse(.malformed(totalChanged)) }
      return stored == asked ? .finish(byteCount: asked) : .report
    case .bytes(let range, let newTotal):
      guard contentLength == Int64(range.count) else {
        return .refuse(.malformed("Content-Length does not match Content-Range"))
      }
      guard newTotal == range.upperBound || contentLength.isMultiple(of: granularity) else {
        return .refuse(.malformed("a chunk that is not the last must be a multiple of \(granularity) bytes"))
      }
      return receive(range, newTotal: newTotal, stored: stored, total: total, limit: limit)
    }
  }

  private static let totalChanged = "the total is not the one that was told before"

  private static func receive(
    _ range: Range<Int64>, newTotal: Int64?, stored: Int64, total: Int64?, limit: Int64
  ) -> ChunkDecision {
    if let total, let newTotal, total != newTotal { return .refuse(.malformed(totalChanged)) }
    let total = newTotal ?? total
    guard max(range.upperBound, total ?? 0) <= limit else { return .refuse(.tooLarge(limit: limit)) }
    if let total, stored > total || range.upperBound > total { return .refuse(.malformed(totalChanged)) }
    guard range.lowerBound <= stored else { return .refuse(.gap) }
    let end = max(stored, range.upperBound)
    return .receive(
      Chunk(skipping: min(stored, range.upperBound) - range.lowerBound, writing: stored..<end, total: total))
  }
}
