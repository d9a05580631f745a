/// The client's side of the chunk protocol as a pure state machine: which request is next, and what an answer means.
///
/// It believes the server's offset and nothing else; what was sent counts only where a server never tells its offset.
/// Every way to go round without progress leads through `Verdict.wait`, so a retry budget ends it.
struct ChunkProtocol {
  enum Verdict: Equatable {
    case complete(StoredObject)
    /// Go on at once.
    case next
    /// Go on after a delay of the retry policy, at least as long as the server asked for.
    case wait(atLeast: Duration?, reason: String)
  }

  /// First byte that the server has not confirmed.
  private(set) var confirmedOffset: Int64
  /// The confirmed offset is further than ever: the retry budget may start anew. Cleared by each answer.
  private(set) var hasGrown = false
  /// Something odd that the last answer told, and that is worth telling.
  private(set) var note: String?
  /// The server has every byte, and was told so, and does not say that it is complete.
  private(set) var isKeptWaiting = false
  private(set) var layout: ChunkLayout

  private var mustAsk: Bool
  /// The offset is the server's word, not a number saved by an earlier run.
  private var isAnchored: Bool
  private var farthestOffset: Int64
  /// The end of the farthest chunk that was begun.
  private var sentUpTo: Int64
  /// The end of the farthest chunk that left whole.
  private var leftUpTo: Int64 = 0
  private var hasGoneBack = false
  private var wasOutOfStep = false
  private var cannotAsk = false
  private var rangelessAnswers = RangelessAnswers.none
  private var stalledExchangeCount = 0

  /// What is known about a server that answers 308 without `Range`.
  private enum RangelessAnswers {
    case none
    /// A chunk was answered so; the status query is under way.
    case once
    /// The query too, with the first byte sent anew since.
    case asked
    /// It never sends a range: sent bytes are counted instead.
    case always
    /// It has sent a range: a missing one means that nothing is stored.
    case never
  }

  init(confirmedOffset: Int64, isResumed: Bool, layout: ChunkLayout) {
    self.confirmedOffset = confirmedOffset
    self.layout = layout
    farthestOffset = confirmedOffset
    sentUpTo = confirmedOffset
    mustAsk = isResumed || confirmedOffset > 0
    isAnchored = !mustAsk
  }

  /// The next request is a status query; otherwise bytes are needed for it.
  var isQueryNext: Bool { mustAsk }

  /// - Parameters:
  ///   - available: bytes that can be read, counted from the file's start.
  ///   - total: the file's size, once it is known.
  mutating func nextRange(available: Int64, total: Int64?) throws(UploadError) -> ContentRange {
    // `bytes */*` never ends an upload, so it is safe to ask; `bytes */total` ends it when all is there.
    if mustAsk { return .query(total: nil) }
    guard let chunk = layout.chunk(at: confirmedOffset, available: available, total: total) else {
      guard let total, confirmedOffset == total else {
        throw .protocolViolation("the server holds more bytes than the clip has")
      }
      return .query(total: total)
    }
    sentUpTo = max(sentUpTo, chunk.upperBound)
    return .bytes(chunk, total: total)
  }

  /// There was no answer: nobody knows how much arrived.
  /// - Parameter sentByteCount: bytes of the request's body that had left.
  mutating func noteBrokenConnection(_ reason: String, on range: ContentRange, sentByteCount: Int64) -> Verdict {
    _ = noteSent(sentByteCount, of: range)
    hasGrown = false
    note = nil
    isKeptWaiting = false
    stalledExchangeCount = 0
    // A question that got no answer costs nothing, however long chunks are.
    if case .bytes = range { layout.noteBreak() }
    mustAsk = !cannotAsk
    return .wait(atLeast: nil, reason: reason)
  }

  /// - Parameters:
  ///   - total: the file's size, once it is known.
  ///   - duration: from the request to its answer; `nil` when nobody measured.
  ///   - sentByteCount: bytes of the request's body that had left when the answer came.
  mutating func take(
    _ answer: ChunkResponse, to range: ContentRange, total: Int64?, took duration: Duration? = nil,
    sentByteCount: Int64
  ) throws(UploadError) -> Verdict {
    hasGrown = false
    note = nil
    isKeptWaiting = false
    let isWhole = noteSent(sentByteCount, of: range)
    let before = confirmedOffset
    defer { if case .chunkTooLong = answer {} else { pace(range, took: duration) } }
    let verdict =
      switch range {
      case .bytes where !isWhole && answer.praisesChunk(of: total):
        // It cannot have what we still hold: what it has, it says when it is asked.
        askAgain("the server answered before it had the chunk")
      case .bytes(let chunk, _): try takeChunkAnswer(answer, chunk: chunk, total: total)
      case .query(let finishing): try takeQueryAnswer(answer, isFinishing: finishing != nil, total: total)
      }
    if confirmedOffset > farthestOffset {
      farthestOffset = confirmedOffset
      hasGrown = true
      wasOutOfStep = false
    }
    // Answers that each look harmless may still form a circle; after a few without progress it is walked slowly.
    let isCircling = verdict == .next && confirmedOffset <= before
    stalledExchangeCount = isCircling ? stalledExchangeCount + 1 : 0
    if stalledExchangeCount > 3 {
      stalledExchangeCount = 0
      return .wait(atLeast: nil, reason: "the server confirms no further bytes")
    }
    return verdict
  }
}

extension ChunkResponse {
  /// It says that the chunk was taken, although the server cannot have all of it. A size that fits is proof.
  fileprivate func praisesChunk(of total: Int64?) -> Bool {
    switch self {
    case .complete(let object): object.byteCount == nil || object.byteCount != total
    case .accepted, .stored, .storedUnknown: true
    case .retry, .outOfStep, .chunkTooLong, .expired, .cancelled, .refused, .violation: false
    }
  }
}

extension ChunkProtocol {
  /// - Returns: whether the whole request had left.
  private mutating func noteSent(_ byteCount: Int64, of range: ContentRange) -> Bool {
    guard case .bytes(let chunk, _) = range else { return true }
    guard byteCount >= chunk.count else { return false }
    leftUpTo = max(leftUpTo, chunk.upperBound)
    return true
  }

  /// Every byte has left once, though nobody knows whether it arrived.
  private func hasSentAll(_ total: Int64?) -> Bool { leftUpTo == total }

  private mutating func askAgain(_ reason: String) -> Verdict {
    mustAsk = !cannotAsk
    return .wait(atLeast: nil, reason: reason)
  }
}

// MARK: The length of chunks

extension ChunkProtocol {
  /// What the server kept of a chunk tells how long the next one may be.
  private mutating func pace(_ range: ContentRange, took duration: Duration?) {
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
      let stored = object.byteCount
      try checkSize(stored, total: total)
      guard isLast || (stored != nil && stored == total) else {
        throw .protocolViolation("the server ended the upload before the last chunk")
      }
      return .complete(object)
    case .accepted:
      if isLast { return .complete(StoredObject()) }
      try move(to: chunk.upperBound, total: total)
      return .next
    case .stored(let byteCount):
      rangelessAnswers = .never
      let before = confirmedOffset
      try move(to: byteCount, total: total)
      return confirmedOffset == before ? .wait(atLeast: nil, reason: "the server kept nothing of a chunk") : .next
    case .storedUnknown: return try takeRangelessChunkAnswer(chunk: chunk, total: total)
    case .retry(let delay, let reason):
      mustAsk = !cannotAsk
      return .wait(atLeast: delay, reason: reason)
    case .outOfStep:
      guard !wasOutOfStep, !cannotAsk else { throw .refused(status: 416, reason: "the range was refused twice") }
      wasOutOfStep = true
      mustAsk = true
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

  /// Asked once. If there is no range then either, nothing is stored, so the upload starts at zero; if the server does
  /// it again on the bytes sent anew, it is one that never sends a range.
  private mutating func takeRangelessChunkAnswer(
    chunk: Range<Int64>, total: Int64?
  ) throws(UploadError) -> Verdict {
    switch rangelessAnswers {
    case .none where !cannotAsk:
      rangelessAnswers = .once
      mustAsk = true
    case .never where !cannotAsk: mustAsk = true
    case .none, .once, .asked, .always, .never:
      rangelessAnswers = .always
      try move(to: chunk.upperBound, total: total)
    }
    return .next
  }
}

// MARK: Answers to status queries

extension ChunkProtocol {
  private mutating func takeQueryAnswer(
    _ answer: ChunkResponse, isFinishing: Bool, total: Int64?
  ) throws(UploadError) -> Verdict {
    switch answer {
    case .complete(let object):
      let stored = object.byteCount
      try checkSize(stored, total: total)
      // A host that does not know the query may answer 200 to anything; then it is no sign that the upload is complete.
      if isFinishing || stored != nil || hasSentAll(total) { return .complete(object) }
      return sendWithoutAsking()
    case .accepted: return isFinishing || hasSentAll(total) ? .complete(StoredObject()) : sendWithoutAsking()
    case .stored(let byteCount):
      rangelessAnswers = .never
      mustAsk = false
      try move(to: byteCount, total: total)
      return isFinishing && byteCount == total ? waitForEnd() : .next
    case .storedUnknown:
      mustAsk = false
      if rangelessAnswers == .always { return isFinishing ? waitForEnd() : .next }
      if rangelessAnswers == .once { rangelessAnswers = .asked }
      try move(to: 0, total: total)
      return .next
    case .retry(let delay, let reason): return .wait(atLeast: delay, reason: reason)
    case .cancelled: throw .cancelledRemotely
    case .violation(let reason): throw .protocolViolation(reason)
    case .expired(let status):
      // The host may know chunks only (none of Mux's own clients asks); a missing session is the same for both.
      guard !isFinishing, status == 401 || status == 403 else { throw .urlExpired(status: status) }
      return sendWithoutAsking()
    case .refused(let status, let reason):
      guard !isFinishing else { throw .refused(status: status, reason: reason) }
      return sendWithoutAsking()
    case .outOfStep, .chunkTooLong:
      guard !isFinishing else { throw .protocolViolation("the server refuses to end the upload") }
      return sendWithoutAsking()
    }
  }

  private mutating func waitForEnd() -> Verdict {
    isKeptWaiting = true
    let holds = rangelessAnswers == .always ? "never says how much it holds, and" : "holds every byte but"
    return .wait(atLeast: nil, reason: "the server \(holds) does not finish")
  }

  /// Falls back to sending from the last confirmed offset: bytes the server has already are ignored by it.
  private mutating func sendWithoutAsking() -> Verdict {
    cannotAsk = true
    mustAsk = false
    return .next
  }
}

// MARK: The offset

extension ChunkProtocol {
  private mutating func move(to offset: Int64, total: Int64?) throws(UploadError) {
    guard offset <= total ?? .max, !isAnchored || offset <= sentUpTo else {
      throw .protocolViolation("the server holds more bytes than were sent: somebody else uses this upload")
    }
    if !isAnchored {
      isAnchored = true
      farthestOffset = offset
    } else if offset < confirmedOffset {
      guard !hasGoneBack else { throw .protocolViolation("the server lost confirmed bytes twice") }
      hasGoneBack = true
      note = "the server lost \(confirmedOffset - offset) bytes that it had confirmed; sending them again"
    }
    confirmedOffset = offset
    sentUpTo = max(sentUpTo, offset)
  }

  private func checkSize(_ stored: Int64?, total: Int64?) throws(UploadError) {
    guard let stored, let total, stored != total else { return }
    throw .protocolViolation("the server ended the upload with \(stored) of \(total) bytes")
  }
}
