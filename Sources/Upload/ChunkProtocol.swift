import ClipModel

/// The client side of the chunk protocol as a pure state machine that chooses the next request and interprets
/// responses.
///
/// The state machine relies only on offsets that the server reports. It counts sent bytes only if the server never
/// reports an offset. Every cycle without progress includes `Verdict.wait`, so it ends when the retry budget is
/// exhausted.
struct ChunkProtocol {
  enum Verdict: Equatable {
    case complete(StoredObject)
    /// Continue immediately.
    case next
    /// Continue after a delay from the retry policy, but no earlier than the server's `Retry-After`.
    ///
    /// `isAllStored` means that the server has all bytes but doesn't complete the upload, so retrying later can't help.
    case wait(atLeast: Duration? = nil, reason: String, isAllStored: Bool = false, isDiskFull: Bool = false)
  }

  /// The result of a request.
  struct Outcome: Equatable {
    var verdict: Verdict
    /// Whether the acknowledged offset reached a new maximum, which resets the retry budget.
    var hasGrown = false
    /// The number of acknowledged bytes that the server lost.
    var lostByteCount: Int64 = 0
  }

  /// The type of the next request, and what `308` responses have revealed so far.
  private enum State {
    /// The next request is a status query because the offset is unknown or may have changed.
    case asking(RangeReporting)
    /// The next request is a status query because a response to a chunk lacked the `Range` header for the first time.
    case checkingForRange
    /// The next request sends bytes or, after the last byte, the query that completes the upload.
    case sending(RangeReporting)
    /// The next bytes, for a host that doesn't support status queries. If a `308` response contains no `Range` header,
    /// sent bytes are counted instead.
    case sendingOnly(isCounting: Bool)
  }

  /// How a server reports the offset.
  private enum RangeReporting {
    /// The server has not sent a `308` response yet.
    case unseen
    /// Neither the response to a chunk nor the response to the following query contained a `Range` header, so all bytes
    /// are sent again.
    case missing
    /// The server never sends a `Range` header, so sent bytes are counted.
    case counted
    /// The server has sent a `Range` header before, so a response without this header means that no bytes are stored.
    case reported
  }

  /// The offset of the first byte that the server hasn't acknowledged.
  private(set) var confirmedOffset: Int64
  private(set) var layout: ChunkLayout

  private var state: State
  /// The highest confirmed offset in this run; `nil` while the confirmed offset still comes from an earlier run.
  private var farthestOffset: Int64?
  /// The highest end offset of any chunk that was started.
  private var startedUpTo: Int64
  /// The highest end offset of any chunk that was sent completely.
  private var sentUpTo: Int64 = 0
  /// The value of `farthestOffset` at the last range mismatch. Two mismatches without progress are an error.
  private var mismatchOffset: Int64?
  /// How many more times the server may lose acknowledged bytes.
  private var permittedLossCount = 1
  private var stalledExchangeCount = 0
  /// The file size when the latest request was selected; `nil` if it was unknown.
  private var total: Int64?
  /// The maximum number of bytes that the server can have.
  private var limit: Int64 = 0

  init(confirmedOffset: Int64, isResumed: Bool, layout: ChunkLayout) {
    self.confirmedOffset = confirmedOffset
    self.layout = layout
    startedUpTo = confirmedOffset
    let isFresh = !isResumed && confirmedOffset == 0
    state = isFresh ? .sending(.unseen) : .asking(.unseen)
    farthestOffset = isFresh ? 0 : nil
  }

  /// Whether the next request is a status query. Otherwise, the next request needs bytes.
  var isQueryNext: Bool {
    switch state {
    case .asking, .checkingForRange: true
    case .sending, .sendingOnly: false
    }
  }

  /// Returns the content range of the next request.
  /// - Parameters:
  ///   - available: the number of bytes at the start of the file that can be read.
  ///   - total: the file size; `nil` while it's unknown.
  mutating func nextRange(available: Int64, total: Int64?) throws(UploadError) -> ContentRange {
    self.total = total
    limit = total ?? available
    // `bytes */*` never completes an upload, but `bytes */total` does if all bytes are stored.
    if isQueryNext { return .query(total: nil) }
    guard let chunk = layout.nextChunk(at: confirmedOffset, available: available, total: total) else {
      guard let total, confirmedOffset == total else {
        throw .protocolViolation("the server has received more bytes than the clip contains")
      }
      return .query(total: total)
    }
    startedUpTo = max(startedUpTo, chunk.upperBound)
    return .bytes(chunk, total: total)
  }

  /// Handles a request that received no response. In this case, the number of bytes that arrived is unknown.
  /// - Parameter sentByteCount: the number of body bytes that were sent.
  mutating func applyBrokenConnection(_ reason: String, on range: ContentRange, sentByteCount: Int64) -> Outcome {
    _ = recordSentBytes(sentByteCount, of: range)
    stalledExchangeCount = 0
    if case .bytes = range { layout.recordFailedChunk() }
    requestStatusQuery()
    return Outcome(verdict: .wait(reason: reason))
  }

  /// Handles the response to the latest request.
  /// - Parameters:
  ///   - duration: the time between the request and the response; `nil` if it wasn't measured.
  ///   - sentByteCount: the number of body bytes that were sent before the response arrived.
  mutating func applyResponse(
    _ response: ChunkResponse, to range: ContentRange, took duration: Duration? = nil, sentByteCount: Int64
  ) throws(UploadError) -> Outcome {
    let isWhole = recordSentBytes(sentByteCount, of: range)
    let (before, farthest) = (confirmedOffset, farthestOffset)
    var outcome: Outcome
    switch range {
    case .bytes where !isWhole && response.claimsToHaveStoredChunk(ofTotal: total):
      // The server can't have stored bytes that were never sent.
      requestStatusQuery()
      outcome = Outcome(verdict: .wait(reason: "the server responded before it received the complete chunk"))
    case .bytes(let chunk, _):
      do throws(UploadError) {
        outcome = Outcome(verdict: try verdict(onChunk: chunk, response))
      } catch .refused(let status, _) where total == nil && status != 413 && confirmedOffset == 0 {
        throw .unknownSizeRefused(status: status)
      }
    case .query: outcome = Outcome(verdict: try verdict(onQuery: response))
    }
    adaptLayout(to: response, range, took: duration)
    if let farthest {
      outcome.hasGrown = confirmedOffset > farthest
      outcome.lostByteCount = max(before - confirmedOffset, 0)
    }
    // A repeated sequence of such responses would be an endless loop, so wait before the next request.
    let isStalled = outcome.verdict == .next && confirmedOffset <= before
    stalledExchangeCount = isStalled ? stalledExchangeCount + 1 : 0
    if stalledExchangeCount > 3 {
      stalledExchangeCount = 0
      outcome.verdict = .wait(reason: "the server stopped acknowledging data")
    }
    return outcome
  }

  /// Records how many bytes of a request were sent.
  /// - Returns: whether the entire request was sent.
  private mutating func recordSentBytes(_ byteCount: Int64, of range: ContentRange) -> Bool {
    guard case .bytes(let chunk, _) = range else { return true }
    guard byteCount >= chunk.count else { return false }
    sentUpTo = max(sentUpTo, chunk.upperBound)
    return true
  }

  /// Makes the next request a status query if the host supports status queries.
  private mutating func requestStatusQuery() {
    if case .sending(let ranges) = state { state = .asking(ranges) }
  }

  /// Adapts the next chunk's size based on how much of this chunk was stored.
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
  /// Whether the response indicates that the chunk is stored. A matching object size is sufficient proof, even if the
  /// chunk was not sent completely.
  fileprivate func claimsToHaveStoredChunk(ofTotal total: Int64?) -> Bool {
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
    onChunk chunk: Range<Int64>, _ response: ChunkResponse
  ) throws(UploadError) -> Verdict {
    let isLast = chunk.upperBound == total
    switch response {
    case .complete(let object):
      try requireSize(of: object)
      guard isLast || (object.byteCount != nil && object.byteCount == total) else {
        throw .protocolViolation("the server ended the upload before the last chunk")
      }
      return .complete(object)
    case .accepted:
      return isLast ? .complete(StoredObject()) : try moveOffset(to: chunk.upperBound)
    case .stored(let byteCount):
      let before = confirmedOffset
      recordReportedRange()
      let verdict = try moveOffset(to: byteCount)
      return confirmedOffset == before ? .wait(reason: "the server stored no bytes of the chunk") : verdict
    case .storedUnknown:
      // Send one status query. If its response contains no range either, no bytes are stored. If there is still no
      // range after the bytes are sent again, the server never sends a range.
      switch state {
      case .sending(.unseen): state = .checkingForRange
      case .sending(.reported): state = .asking(.reported)
      case .sendingOnly:
        state = .sendingOnly(isCounting: true)
        return try moveOffset(to: chunk.upperBound)
      case .sending, .asking, .checkingForRange:
        state = .sending(.counted)
        return try moveOffset(to: chunk.upperBound)
      }
      return .next
    case .retry(let delay, let reason, let isDiskFull):
      requestStatusQuery()
      return .wait(atLeast: delay, reason: reason, isDiskFull: isDiskFull)
    case .rangeMismatch:
      guard mismatchOffset != farthestOffset, case .sending = state else {
        throw .refused(status: 416, reason: "the server rejected the byte range twice")
      }
      mismatchOffset = farthestOffset
      requestStatusQuery()
      return .next
    case .chunkTooLong(let reason):
      guard layout.reduceLimit() else {
        throw .refused(status: 413, reason: "the server rejects even chunks of 256 KiB: \(reason)")
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
  private mutating func verdict(onQuery response: ChunkResponse) throws(UploadError) -> Verdict {
    let isFinishing = !isQueryNext
    switch response {
    case .complete(let object):
      // A host that doesn't support status queries may respond to any request with 200, so the upload may be
      // incomplete. If it has ended before the size is known, the response to the next chunk shows that.
      if total != nil || object.byteCount != nil { try requireSize(of: object) }
      if isFinishing || object.byteCount != nil || sentUpTo == total { return .complete(object) }
    case .accepted:
      if isFinishing || sentUpTo == total { return .complete(StoredObject()) }
    case .stored(let byteCount):
      recordReportedRange()
      let verdict = try moveOffset(to: byteCount)
      guard isFinishing, byteCount == total else { return verdict }
      return .wait(reason: "the server has all bytes but did not complete the upload", isAllStored: true)
    case .storedUnknown:
      switch state {
      case .sending(.counted), .sendingOnly(isCounting: true):
        return .wait(reason: "the server never reported an offset and did not complete the upload", isAllStored: true)
      case .asking(.counted):
        state = .sending(.counted)
        return .next
      case .asking(let ranges): state = .sending(ranges)
      case .checkingForRange: state = .sending(.missing)
      case .sending, .sendingOnly: break
      }
      return try moveOffset(to: 0)
    case .retry(let delay, let reason, let isDiskFull):
      return .wait(atLeast: delay, reason: reason, isDiskFull: isDiskFull)
    case .cancelled: throw .cancelledRemotely
    case .violation(let reason): throw .protocolViolation(reason)
    case .expired(let status):
      // The host may not support status queries because Mux's clients don't send them. Any other status means that the
      // session no longer exists.
      guard !isFinishing, status == 401 || status == 403 else { throw .urlExpired(status: status) }
    case .refused(let status, let reason):
      guard !isFinishing else { throw .refused(status: status, reason: reason) }
    case .rangeMismatch, .chunkTooLong:
      guard !isFinishing else { throw .protocolViolation("the server did not complete the upload") }
    }
    // Resumes at the last confirmed offset. The server ignores bytes that it already has.
    let isCounting = if case .asking(.counted) = state { true } else { false }
    state = .sendingOnly(isCounting: isCounting)
    return .next
  }
}

// MARK: The offset

extension ChunkProtocol {
  /// Records that the server reports offsets. From now on, sent bytes aren't counted and no query is needed.
  private mutating func recordReportedRange() {
    if case .sendingOnly = state { state = .sendingOnly(isCounting: false) } else { state = .sending(.reported) }
  }

  private mutating func moveOffset(to offset: Int64) throws(UploadError) -> Verdict {
    guard offset <= limit, farthestOffset == nil || offset <= startedUpTo else {
      throw .protocolViolation("the server has more bytes than bsc sent: another program is using this upload")
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

  private func requireSize(of object: StoredObject) throws(UploadError) {
    // The end of the file is sent only when the size is known.
    guard let total else { throw .contentMismatch("the server ended the upload before the file was complete") }
    guard let stored = object.byteCount, stored != total else { return }
    throw .contentMismatch("the server ended the upload with \(stored) of \(total) bytes")
  }
}
