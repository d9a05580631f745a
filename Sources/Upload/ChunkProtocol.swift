import ClipModel

/// The client's side of the chunk protocol as a pure state machine: it chooses the next request and interprets responses.
///
/// Only the offset that the server reports is used. Sent bytes are counted only if the server never reports an offset.
/// Every cycle that makes no progress includes `Verdict.wait`, so it ends when the retry budget is used up.
struct ChunkProtocol {
  enum Verdict: Equatable {
    case complete(StoredObject)
    /// Continue at once.
    case next
    /// Continue after a delay of the retry policy, which is at least the server's `Retry-After`.
    ///
    /// `isAllStored`: the server has every byte but does not complete the upload, so a later run cannot do more.
    case wait(atLeast: Duration? = nil, reason: String, isAllStored: Bool = false, isDiskFull: Bool = false)
  }

  /// The result of one request.
  struct Outcome: Equatable {
    var verdict: Verdict
    /// The acknowledged offset is higher than ever before, so the retry budget starts again.
    var hasGrown = false
    /// The number of acknowledged bytes that the server has lost.
    var lostByteCount: Int64 = 0
  }

  /// The next request, and what `308` responses have revealed so far.
  private enum State {
    /// A status query: the offset is unknown or may have changed.
    case asking(Ranges)
    /// A status query, because a response to a chunk contained no `Range` for the first time.
    case checkingForRange
    /// The next request sends bytes or, after the last byte, the query that completes the upload.
    case sending(Ranges)
    /// The next request sends bytes to a host that does not support status queries. Sent bytes are counted if `308` has
    /// no `Range`.
    case sendingOnly(isCounting: Bool)
  }

  /// The way in which a server reports the offset.
  private enum Ranges {
    /// There has been no `308` response yet.
    case unseen
    /// The responses to a chunk and to the query after it contained no `Range`, so all bytes are sent again.
    case missing
    /// The server never sends `Range`, so sent bytes are counted.
    case counted
    /// The server has sent `Range`: a response without it means that nothing is stored.
    case reported
  }

  /// The first byte that the server has not acknowledged.
  private(set) var confirmedOffset: Int64
  private(set) var layout: ChunkLayout

  private var state: State
  /// The farthest confirmed offset; `nil` while the confirmed offset is the one that an earlier run stored.
  private var farthestOffset: Int64?
  /// The end of the farthest chunk that was started.
  private var startedUpTo: Int64
  /// The end of the farthest chunk that was sent completely.
  private var sentUpTo: Int64 = 0
  /// The farthest offset at the last mismatched range. Two mismatches without progress are an error.
  private var mismatchOffset: Int64?
  /// The number of times that the server may still lose acknowledged bytes.
  private var permittedLossCount = 1
  private var stalledExchangeCount = 0

  init(confirmedOffset: Int64, isResumed: Bool, layout: ChunkLayout) {
    self.confirmedOffset = confirmedOffset
    self.layout = layout
    startedUpTo = confirmedOffset
    let isFresh = !isResumed && confirmedOffset == 0
    state = isFresh ? .sending(.unseen) : .asking(.unseen)
    farthestOffset = isFresh ? 0 : nil
  }

  /// The next request is a status query; otherwise it needs bytes.
  var isQueryNext: Bool {
    switch state {
    case .asking, .checkingForRange: true
    case .sending, .sendingOnly: false
    }
  }

  /// - Parameters:
  ///   - available: the end of the bytes that can be read, from the start of the file.
  ///   - total: the file's size, once it is known.
  mutating func nextRange(available: Int64, total: Int64?) throws(UploadError) -> ContentRange {
    // `bytes */*` never completes an upload; `bytes */total` does if all bytes are stored.
    if isQueryNext { return .query(total: nil) }
    guard let chunk = layout.chunk(at: confirmedOffset, available: available, total: total) else {
      guard let total, confirmedOffset == total else {
        throw .protocolViolation("the server has more bytes than the clip")
      }
      return .query(total: total)
    }
    startedUpTo = max(startedUpTo, chunk.upperBound)
    return .bytes(chunk, total: total)
  }

  /// Handles a request that received no response, so that it is unknown how many bytes arrived.
  /// - Parameter sentByteCount: the sent bytes of the body.
  mutating func applyBrokenConnection(_ reason: String, on range: ContentRange, sentByteCount: Int64) -> Outcome {
    _ = recordSent(sentByteCount, of: range)
    stalledExchangeCount = 0
    if case .bytes = range { layout.recordFailedChunk() }
    askAgain()
    return Outcome(verdict: .wait(reason: reason))
  }

  /// Applies a response.
  /// - Parameters:
  ///   - total: the file's size, once it is known.
  ///   - duration: the time from the request to the response; `nil` if it was not measured.
  ///   - sentByteCount: the bytes of the body that were sent before the response.
  mutating func apply(
    _ response: ChunkResponse, to range: ContentRange, total: Int64?, took duration: Duration? = nil,
    sentByteCount: Int64
  ) throws(UploadError) -> Outcome {
    let isWhole = recordSent(sentByteCount, of: range)
    let (before, farthest) = (confirmedOffset, farthestOffset)
    var outcome: Outcome
    switch range {
    case .bytes where !isWhole && response.claimsChunk(ofTotal: total):
      // The server cannot have bytes that were never sent.
      askAgain()
      outcome = Outcome(verdict: .wait(reason: "the server responded before it received the whole chunk"))
    case .bytes(let chunk, _): outcome = Outcome(verdict: try verdict(onChunk: chunk, response, total: total))
    case .query: outcome = Outcome(verdict: try verdict(onQuery: response, total: total))
    }
    adaptLayout(to: response, range, took: duration)
    if let farthest {
      outcome.hasGrown = confirmedOffset > farthest
      outcome.lostByteCount = max(before - confirmedOffset, 0)
    }
    // Several such responses can form an endless loop, so a delay follows.
    let isStalled = outcome.verdict == .next && confirmedOffset <= before
    stalledExchangeCount = isStalled ? stalledExchangeCount + 1 : 0
    if stalledExchangeCount > 3 {
      stalledExchangeCount = 0
      outcome.verdict = .wait(reason: "the server stopped acknowledging data")
    }
    return outcome
  }

  /// - Returns: whether the whole request was sent.
  private mutating func recordSent(_ byteCount: Int64, of range: ContentRange) -> Bool {
    guard case .bytes(let chunk, _) = range else { return true }
    guard byteCount >= chunk.count else { return false }
    sentUpTo = max(sentUpTo, chunk.upperBound)
    return true
  }

  /// Makes the next request a status query, if the host supports status queries.
  private mutating func askAgain() {
    if case .sending(let ranges) = state { state = .asking(ranges) }
  }

  /// The size of the next chunk depends on how much of this one was stored.
  private mutating func adaptLayout(to response: ChunkResponse, _ range: ContentRange, took duration: Duration?) {
    if case .chunkTooLong = response { return }
    guard case .bytes(let chunk, _) = range, let duration else { return }
    if confirmedOffset >= chunk.upperBound {
      layout.recordChunk(byteCount: Int64(chunk.count), took: duration)
    } else {
      layout.recordFailedChunk()
    }
  }
}

extension ChunkResponse {
  /// Whether the response means that the chunk is stored. A matching size proves that, even if the chunk was not sent
  /// completely.
  fileprivate func claimsChunk(ofTotal total: Int64?) -> Bool {
    switch self {
    case .complete(let object): object.byteCount == nil || object.byteCount != total
    case .accepted, .stored, .storedUnknown: true
    default: false
    }
  }
}

// MARK: Responses to chunks

extension ChunkProtocol {
  private mutating func verdict(
    onChunk chunk: Range<Int64>, _ response: ChunkResponse, total: Int64?
  ) throws(UploadError) -> Verdict {
    let isLast = chunk.upperBound == total
    switch response {
    case .complete(let object):
      try requireSize(of: object, total: total)
      guard isLast || (object.byteCount != nil && object.byteCount == total) else {
        throw .protocolViolation("the server ended the upload before the last chunk")
      }
      return .complete(object)
    case .accepted:
      return isLast ? .complete(StoredObject()) : try move(to: chunk.upperBound, total: total)
    case .stored(let byteCount):
      let before = confirmedOffset
      recordReportedRange()
      let verdict = try move(to: byteCount, total: total)
      return confirmedOffset == before ? .wait(reason: "the server stored none of the chunk's bytes") : verdict
    case .storedUnknown:
      // Query once. If the response to the query has no range either, nothing is stored. If there is still no range
      // after the bytes are sent again, the server never sends one.
      switch state {
      case .sending(.unseen): state = .checkingForRange
      case .sending(.reported): state = .asking(.reported)
      case .sendingOnly:
        state = .sendingOnly(isCounting: true)
        return try move(to: chunk.upperBound, total: total)
      case .sending, .asking, .checkingForRange:
        state = .sending(.counted)
        return try move(to: chunk.upperBound, total: total)
      }
      return .next
    case .retry(let delay, let reason, let isDiskFull):
      askAgain()
      return .wait(atLeast: delay, reason: reason, isDiskFull: isDiskFull)
    case .rangeMismatch:
      guard mismatchOffset != farthestOffset, case .sending = state else {
        throw .refused(status: 416, reason: "the range was rejected twice")
      }
      mismatchOffset = farthestOffset
      askAgain()
      return .next
    case .chunkTooLong(let reason):
      guard layout.reduceLimit() else {
        throw .refused(status: 413, reason: "even a chunk of 256 KiB is too large: \(reason)")
      }
      return .next
    case .expired(let status): throw .urlExpired(status: status)
    case .cancelled: throw .cancelledRemotely
    case .refused(let status, let reason): throw .refused(status: status, reason: reason)
    case .violation(let reason): throw .protocolViolation(reason)
    }
  }
}

// MARK: Responses to status queries

extension ChunkProtocol {
  private mutating func verdict(onQuery response: ChunkResponse, total: Int64?) throws(UploadError) -> Verdict {
    let isFinishing = !isQueryNext
    switch response {
    case .complete(let object):
      try requireSize(of: object, total: total)
      // A host without status queries may answer 200 to any request, so the upload may be incomplete.
      if isFinishing || object.byteCount != nil || sentUpTo == total { return .complete(object) }
    case .accepted:
      if isFinishing || sentUpTo == total { return .complete(StoredObject()) }
    case .stored(let byteCount):
      recordReportedRange()
      let verdict = try move(to: byteCount, total: total)
      guard isFinishing, byteCount == total else { return verdict }
      return .wait(reason: "the server has all bytes, but does not complete the upload", isAllStored: true)
    case .storedUnknown:
      switch state {
      case .sending(.counted), .sendingOnly(isCounting: true):
        return .wait(reason: "the server never reports an offset and does not complete the upload", isAllStored: true)
      case .asking(.counted):
        state = .sending(.counted)
        return .next
      case .asking(let ranges): state = .sending(ranges)
      case .checkingForRange: state = .sending(.missing)
      case .sending, .sendingOnly: break
      }
      return try move(to: 0, total: total)
    case .retry(let delay, let reason, let isDiskFull):
      return .wait(atLeast: delay, reason: reason, isDiskFull: isDiskFull)
    case .cancelled: throw .cancelledRemotely
    case .violation(let reason): throw .protocolViolation(reason)
    case .expired(let status):
      // The host may not support queries, because Mux's clients don't send them. Other statuses mean that the session
      // is missing.
      guard !isFinishing, status == 401 || status == 403 else { throw .urlExpired(status: status) }
    case .refused(let status, let reason):
      guard !isFinishing else { throw .refused(status: status, reason: reason) }
    case .rangeMismatch, .chunkTooLong:
      guard !isFinishing else { throw .protocolViolation("the server does not complete the upload") }
    }
    // Sends from the last confirmed offset: the server ignores bytes that it already has.
    let isCounting = if case .asking(.counted) = state { true } else { false }
    state = .sendingOnly(isCounting: isCounting)
    return .next
  }
}

// MARK: The offset

extension ChunkProtocol {
  /// The server has reported an offset, so sent bytes aren't counted and no query is needed.
  private mutating func recordReportedRange() {
    if case .sendingOnly = state { state = .sendingOnly(isCounting: false) } else { state = .sending(.reported) }
  }

  private mutating func move(to offset: Int64, total: Int64?) throws(UploadError) -> Verdict {
    guard offset <= total ?? .max, farthestOffset == nil || offset <= startedUpTo else {
      throw .protocolViolation("the server has more bytes than were sent: another program is using this upload")
    }
    if farthestOffset != nil, offset < confirmedOffset {
      guard permittedLossCount > 0 else { throw .protocolViolation("the server lost acknowledged data twice") }
      permittedLossCount -= 1
    }
    confirmedOffset = offset
    farthestOffset = max(farthestOffset ?? 0, offset)
    startedUpTo = max(startedUpTo, offset)
    return .next
  }

  private func requireSize(of object: StoredObject, total: Int64?) throws(UploadError) {
    guard let stored = object.byteCount, let total, stored != total else { return }
    throw .protocolViolation("the server ended the upload with \(stored) of \(total) bytes")
  }
}
