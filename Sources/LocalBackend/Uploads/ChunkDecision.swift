import ClipModel

/// Decides how to handle an upload request, given the bytes that are already stored. This pure function contains the
/// whole protocol.
///
/// The rules are those of resumable sessions in Google Cloud Storage, which Mux's direct-upload URLs follow.
enum ChunkDecision: Equatable, Sendable {
  /// Skip the first `skipping` bytes of the body, which are already stored, and then store the `writing` range.
  case receive(Chunk)
  /// Report the stored bytes with status 308.
  case report
  /// All bytes are stored: complete the upload with this size.
  case finish(byteCount: Int64)
  case refuse(Refusal)

  struct Chunk: Equatable, Sendable {
    /// The number of bytes in the body that precede the stored offset. They were sent again and are ignored.
    var skipping: Int64
    /// The range in the file for the remaining bytes, which starts at the stored offset.
    var writing: Range<Int64>
    var total: Int64?
  }

  enum Refusal: Equatable, Sendable {
    case malformed(String)
    case lengthMissing
    case tooLarge(limit: Int64)
    /// The chunk starts after the stored offset.
    case gap
  }

  /// The size of every chunk except the last must be a multiple of 256 KiB.
  static let granularity: Int64 = 262_144

  /// - Parameters:
  ///   - contentRange: the header; `nil` means that the body is the whole file.
  ///   - contentLength: the declared size of the body. If it were missing, a truncated body could not be detected.
  ///   - stored: the number of stored bytes from the start of the file.
  ///   - total: the size of the whole file, if an earlier request contained it.
  ///   - limit: the maximum size of a file in bytes.
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
      guard contentLength == 0 else { return .refuse(.malformed("a status query must have no body")) }
      // `*/*` never completes the upload; `*/total` completes it if exactly that many bytes are stored.
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
        return .refuse(.malformed("the size of every chunk except the last must be a multiple of \(granularity) bytes"))
      }
      return receive(range, newTotal: newTotal, stored: stored, total: total, limit: limit)
    }
  }

  static let totalChanged = "the total differs from the total in an earlier request"

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
