import ClipModel

/// Decides how to handle an upload request, based on the bytes that are already stored. `make` is a pure function and
/// contains the complete protocol.
///
/// The rules match Google Cloud Storage's resumable uploads, which Mux's direct-upload URLs use.
enum ChunkDecision: Equatable, Sendable {
  /// Skip the first `skipping` bytes of the body, which are already stored. Then store the `writing` range.
  case receive(Chunk)
  /// Report the stored bytes with status 308.
  case report
  /// Complete the upload with this size, because all bytes are stored.
  case finish(byteCount: Int64)
  case reject(Rejection)

  struct Chunk: Equatable, Sendable {
    /// The number of body bytes before the stored offset. The client sent them again, and the server ignores them.
    var skipping: Int64
    /// The range of the file for the remaining bytes of the body. It starts at the stored offset.
    var writing: Range<Int64>
    var total: Int64?
  }

  enum Rejection: Equatable, Sendable {
    case malformed(String)
    case lengthMissing
    case tooLarge(limit: Int64)
    /// The chunk starts after the end of the stored bytes.
    case gap
  }

  /// The chunk granularity, 256 KiB. The size of every chunk except the last must be a multiple of it.
  static let granularity: Int64 = 262_144

  /// Decides how to handle a request.
  /// - Parameters:
  ///   - contentRange: the `Content-Range` header. If `nil`, the body is the complete file.
  ///   - contentLength: the declared size of the body in bytes. Without it, the server could not detect a truncated
  ///     body.
  ///   - stored: the number of bytes that are stored from the start of the file.
  ///   - total: the size of the complete file, if an earlier request specified it.
  ///   - limit: the maximum file size in bytes.
  ///   - acceptsUnknownSize: whether a chunk may omit the size of the complete file.
  static func make(
    contentRange: String?, contentLength: Int64?, stored: Int64, total: Int64?, limit: Int64,
    acceptsUnknownSize: Bool = true
  ) -> ChunkDecision {
    guard let contentLength else { return .reject(.lengthMissing) }
    guard let contentRange else {
      guard contentLength > 0 else { return .reject(.malformed("the file is empty")) }
      return receive(0..<contentLength, newTotal: contentLength, stored: stored, total: total, limit: limit)
    }
    switch ContentRange(contentRange) {
    case nil:
      return .reject(.malformed("Content-Range is malformed"))
    case .query(let asked):
      guard contentLength == 0 else { return .reject(.malformed("a status query must have no body")) }
      // `*/*` never completes an upload. `*/total` completes it if exactly `total` bytes are stored.
      guard let asked else { return .report }
      guard asked > 0 else { return .reject(.malformed("the file is empty")) }
      guard asked <= limit else { return .reject(.tooLarge(limit: limit)) }
      guard total.map({ $0 == asked }) ?? true, stored <= asked else { return .reject(.malformed(totalChanged)) }
      return stored == asked ? .finish(byteCount: asked) : .report
    case .bytes(_, nil) where !acceptsUnknownSize: return .reject(.malformed("Content-Range has no total"))
    case .bytes(let range, let newTotal):
      guard contentLength == Int64(range.count) else {
        return .reject(.malformed("Content-Length does not match Content-Range"))
      }
      guard newTotal == range.upperBound || contentLength.isMultiple(of: granularity) else {
        return .reject(.malformed("the size of every chunk except the last must be a multiple of \(granularity) bytes"))
      }
      return receive(range, newTotal: newTotal, stored: stored, total: total, limit: limit)
    }
  }

  static let totalChanged = "the total differs from the total in an earlier request"

  private static func receive(
    _ range: Range<Int64>, newTotal: Int64?, stored: Int64, total: Int64?, limit: Int64
  ) -> ChunkDecision {
    if let total, let newTotal, total != newTotal { return .reject(.malformed(totalChanged)) }
    let total = newTotal ?? total
    guard max(range.upperBound, total ?? 0) <= limit else { return .reject(.tooLarge(limit: limit)) }
    if let total, stored > total || range.upperBound > total { return .reject(.malformed(totalChanged)) }
    guard range.lowerBound <= stored else { return .reject(.gap) }
    let end = max(stored, range.upperBound)
    return .receive(
      Chunk(skipping: min(stored, range.upperBound) - range.lowerBound, writing: stored..<end, total: total))
  }
}
