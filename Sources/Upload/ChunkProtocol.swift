import ClipModel

/// The client's side of the chunk protocol as a pure state machine: which request is next, and what an answer means.
///
/// Only the offset that the server reports counts; sent bytes are counted only where a server never reports one.
/// Every cycle without progress passes through `Verdict.wait`, so a retry budget ends it.
struct ChunkProtocol {
  enum Verdict: Equatable {
    case complete(StoredObject)
    /// Continue at once.
    case next
    /// Continue after a delay of the retry policy, at least as long as the server asked for.
    ///
    /// `isAllStored`: the server has every byte but does not complete the upload, so a later run cannot do more.
    case wait(atLeast: Duration? = nil, reason: String, isAllStored: Bool = false, isDiskFull: Bool = false)
  }

  /// What one exchange has led to.
  struct Outcome: Equatable {
    var verdict: Verdict
    /// The confirmed offset is farther than ever: the retry budget may start again.
    var hasGrown = false
    /// Confirmed bytes that the server has lost since.
    var lostByteCount: Int64 = 0
  }

  /// Which request is next, and what `308` answers have shown until now.
  private enum State {
    /// A status query. The offset may have changed, or only an earlier run knows it.
    case asking(Ranges)
    /// A status query, because a chunk was answered without `Range` for the first time.
    case checkingForRange
    /// Bytes, or after the last one the query that ends the upload.
    case sending(Ranges)
    /// The same on a host that does not answer status queries. Sent bytes are counted if `308` has no `Range`.
    case sendingOnly(isCounting: Bool)
  }

  /// How a server reports the offset.
  private enum Ranges {
    /// It has answered no `308` yet.
    case unseen
    /// A chunk and the query after it were answered without `Range`: all bytes are sent again.
    case missing
    /// It never sends `Range`: sent bytes are counted.
    case counted
    /// It has sent `Range`: without one, nothing is stored.
    case reported
  }

  /// First byte that the server has not confirmed.
  private(set) var confirmedOffset: Int64
  private(set) var layout: ChunkLayout

  private var state: State
  /// `nil` while the confirmed offset is a number that an earlier run has saved.
  private var farthestOffset: Int64?
  /// The end of the farthest chunk that was begun.
  private var begunUpTo: Int64
  /// The end of the farthest chunk that was sent completely.
  private var sentUpTo: Int64 = 0
  /// The farthest offset when the server last answered that a range does not fit: twice without progress is an error.
  private var misfitOffset: Int64?
  /// How often the server may still lose confirmed bytes.
  private var permittedLossCount = 1
  private var stalledExchangeCount = 0

  init(confirmedOffset: Int64, isResumed: Bool, layout: ChunkLayout) {
    self.confirmedOffset = confirmedOffset
    self.layout = layout
    begunUpTo = confirmedOffset
    let isFresh = !isResumed && confirmedOffset == 0
    state = isFresh ? .sending(.unseen) : .asking(.unseen)
    farthestOffset = isFresh ? 0 : nil
  }

  /// The next request is a status query; otherwise bytes are needed for it.
  var isQueryNext: Bool {
    switch state {
    case .asking, .checkingForRange: true
    case .sending, .sendingOnly: false
    }
  }

  /// - Parameters:
  ///   - available: bytes that can be read, counted from the file's start.
  ///   - total: the file's size, once it is known.
  mutating func nextRange(available: Int64, total: Int64?) throws(UploadError) -> ContentRange {
    // `bytes */*` never ends an upload; `bytes */total` ends it if all bytes are stored.
    if isQueryNext { return .query(total: nil) }
    guard let chunk = layout.chunk(at: confirmedOffset, available: available, total: total) else {
      guard let total, confirmedOffset == total else {
        throw .protocolViolation("the server holds more bytes than the clip has")
      }
      return .query(total: total)
    }
    begunUpTo = max(begunUpTo, chunk.upperBound)
    return .bytes(chunk, total: total)
  }

  /// There was no answer: it is unknown how many bytes arrived.
  /// - Parameter sentByteCount: bytes of the request's body that were sent.
  mutating func noteBrokenConnection(_ reason: String, on range: ContentRange, sentByteCount: Int64) -> Outcome {
    _ = noteSent(sentByteCount, of: range)
    stalledExchangeCount = 0
    // A query costs nothing, however long chunks are.
    if case .bytes = range { layout.noteBreak() }
    askAgain()
    return Outcome(verdict: .wait(reason: reason))
  }

  /// - Parameters:
  ///   - total: the file's size, once it is known.
  ///   - duration: from the request to its answer; `nil` if it was not measured.
  ///   - sentByteCount: bytes of the request's body that were sent before the answer came.
  mutating func take(
    _ answer: ChunkResponse, to range: ContentRange, total: Int64?, took duration: Duration? = nil,
    sentByteCount: Int64
  ) throws(UploadError) -> Outcome {
    let isWhole = noteSent(sentByteCount, of: range)
    let (before, farthest) = (confirmedOffset, farthestOffset)
    var outcome: Outcome
    switch range {
    case .bytes where !isWhole && answer.praisesChunk(of: total):
      // The server cannot have bytes that were not sent yet. The query returns what it has.
      askAgain()
      outcome = Outcome(verdict: .wait(reason: "the server answered before it had the chunk"))
    case .bytes(let chunk, _): outcome = Outcome(verdict: try takeChunkAnswer(answer, chunk: chunk, total: total))
    case .query: outcome = Outcome(verdict: try takeQueryAnswer(answer, total: total))
    }
    pace(answer, to: range, took: duration)
    if let farthest {
      outcome.hasGrown = confirmedOffset > farthest
      outcome.lostByteCount = max(before - confirmedOffset, 0)
    }
    // Answers that are harmless alone may form a cycle: after a few without progress, delays slow it down.
    let isCycling = outcome.verdict == .next && confirmedOffset <= before
    stalledExchangeCount = isCycling ? stalledExchangeCount + 1 : 0
    if stalledExchangeCount > 3 {
      stalledExchangeCount = 0
      outcome.verdict = .wait(reason: "the server confirms no further bytes")
    }
    return outcome
  }
}

extension ChunkResponse {
  /// The answer says that the chunk was stored, although not all of it was sent. A size that fits is proof.
  fileprivate func praisesChunk(of total: Int64?) -> Bool {
    switch self {
    case .complete(let object): object.byteCount == nil || object.byteCount != total
    case .accepted, .stored, .storedUnknown: true
    case .retry, .outOfStep, .chunkTooLong, .expired, .cancelled, .refused, .violation: false
    }
  }
}

extension ChunkProtocol {
  /// - Returns: whether the whole request was sent.
  private mutating func noteSent(_ byteCount: Int64, of range: ContentRange) -> Bool {
    guard case .bytes(let chunk, _) = range else { return true }
    guard byteCount >= chunk.count else { return false }
    sentUpTo = max(sentUpTo, chunk.upperBound)
    return true
  }

  /// The next request is a status query, if the host answers them.
  private mutating func askAgain() {
    if case .sending(let ranges) = state { state = .asking(ranges) }
  }

  /// What the server kept of a chunk decides the length of the next one.
  private mutating func pace(_ answer: ChunkResponse, to range: ContentRange, took duration: Duration?) {
    if case .chunkTooLong = answer { return }
    guard case .bytes(let chunk, _) = range, let duration else { return }
    if confirmedOffset >= chunk.upperBound {
      layout.noteChunk(byteCount: Int64(chunk.count), took: duration)
    } else {
      layout.noteBreak()
    }
  }
}

// MARK: Answers to chunks

extension ChunkProtocol {
  private mutating func takeChunkAnswer(
    _ answer: ChunkResponse, chunk: Range<Int64>, total: Int64?
  ) throws(UploadError) -> Verdict {
    let isLast = chunk.upperBound == total
    switch answer {
    case .complete(let object):
      try checkSize(object, total: total)
      guard isLast || (object.byteCount != nil && object.byteCount == total) else {
        throw .protocolViolation("the server ended the upload before the last chunk")
      }
      return .complete(object)
    case .accepted:
      if isLast { return .complete(StoredObject()) }
      return try move(to: chunk.upperBound, total: total)
    case .stored(let byteCount):
      let before = confirmedOffset
      noteReported()
      let verdict = try move(to: byteCount, total: total)
      return confirmedOffset == before ? .wait(reason: "the server kept nothing of a chunk") : verdict
    case .storedUnknown:
      // Ask once. If the query returns no range either, nothing is stored. If the bytes that are sent again are
      // answered the same way, the server never sends a range.
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
    case .outOfStep:
      guard misfitOffset != farthestOffset, case .sending = state else {
        throw .refused(status: 416, reason: "the range was refused twice")
      }
      misfitOffset = farthestOffset
      askAgain()
      return .next
    case .chunkTooLong(let reason):
      guard layout.noteTooLong() else { throw .refused(status: 413, reason: "256 KiB are too much for it: \(reason)") }
      return .next
    case .expired(let status): throw .urlExpired(status: status)
    case .cancelled: throw .cancelledRemotely
    case .refused(let status, let reason): throw .refused(status: status, reason: reason)
    case .violation(let reason): throw .protocolViolation(reason)
    }
  }
}

// MARK: Answers to status queries

extension ChunkProtocol {
  private mutating func takeQueryAnswer(_ answer: ChunkResponse, total: Int64?) throws(UploadError) -> Verdict {
    let isFinishing = !isQueryNext
    switch answer {
    case .complete(let object):
      try checkSize(object, total: total)
      // A host that does not know the query may answer 200 to anything: then the upload may not be complete.
      if isFinishing || object.byteCount != nil || sentUpTo == total { return .complete(object) }
    case .accepted:
      if isFinishing || sentUpTo == total { return .complete(StoredObject()) }
    case .stored(let byteCount):
      noteReported()
      let verdict = try move(to: byteCount, total: total)
      guard isFinishing, byteCount == total else { return verdict }
      return .wait(reason: "the server holds every byte but does not finish", isAllStored: true)
    case .storedUnknown:
      switch state {
      case .sending(.counted), .sendingOnly(isCounting: true):
        return .wait(reason: "the server never says how much it holds, and does not finish", isAllStored: true)
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
      // The host may know chunks only (none of Mux's own clients asks); a missing session is the same for both.
      guard !isFinishing, status == 401 || status == 403 else { throw .urlExpired(status: status) }
    case .refused(let status, let reason):
      guard !isFinishing else { throw .refused(status: status, reason: reason) }
    case .outOfStep, .chunkTooLong:
      guard !isFinishing else { throw .protocolViolation("the server refuses to end the upload") }
    }
    // Send from the last confirmed offset: the server ignores bytes that it already has.
    let isCounting = if case .asking(.counted) = state { true } else { false }
    state = .sendingOnly(isCounting: isCounting)
    return .next
  }
}

// MARK: The offset

extension ChunkProtocol {
  /// The server has reported the offset, so sent bytes are not counted, and no query is needed.
  private mutating func noteReported() {
    if case .sendingOnly = state { state = .sendingOnly(isCounting: false) } else { state = .sending(.reported) }
  }

  private mutating func move(to offset: Int64, total: Int64?) throws(UploadError) -> Verdict {
    guard offset <= total ?? .max, farthestOffset == nil || offset <= begunUpTo else {
      throw .protocolViolation("the server holds more bytes than were sent: somebody else uses this upload")
    }
    if farthestOffset != nil, offset < confirmedOffset {
      guard permittedLossCount > 0 else { throw .protocolViolation("the server lost confirmed bytes twice") }
      permittedLossCount -= 1
    }
    confirmedOffset = offset
    farthestOffset = max(farthestOffset ?? 0, offset)
    begunUpTo = max(begunUpTo, offset)
    return .next
  }

  private func checkSize(_ object: StoredObject, total: Int64?) throws(UploadError) {
    guard let stored = object.byteCount, let total, stored != total else { return }
    throw .protocolViolation("the server ended the upload with \(stored) of \(total) bytes")
  }
}
