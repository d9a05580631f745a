public import ClipModel
import DurableFiles
public import Foundation
public import LibCurl
import Synchronization

/// Sends a file to a direct-upload URL in chunks, believing only the server's offset.
///
/// The URL is the credential: it is asked for before each request (the local backend's port may change), kept nowhere
/// and never part of an error.
public struct DirectUpload: Sendable {
  /// What is known of the server's bytes at the beginning.
  public enum Start: Sendable {
    /// It has none: the first byte is sent at once.
    case fresh
    /// An earlier run may have sent bytes that it could not save: the server is asked first.
    case resumed
  }

  /// How requests travel: a `TransferThread`, or a stand-in.
  public var transport: any HTTPTransport
  /// How long is waited between tries, and when it is enough.
  public var policy: RetryPolicy
  /// How the file is cut into requests.
  public var layout: ChunkLayout
  /// Measures the delays between tries.
  public var clock: any Clock<Duration>
  /// Draws the jitter of the delays.
  public var generator: any RandomNumberGenerator & Sendable
  /// Unix seconds, for `Retry-After` with a date, and for the end of a URL's life.
  public var now: @Sendable () -> Int64
  /// What counts when the URL's life is over. Mux does not say whether an upload that is under way may be finished then.
  public enum Deadline: String, Sendable, CaseIterable {
    /// Nothing is sent any more.
    case kept
    /// The server's answer decides.
    case server
  }

  /// What counts when the URL's life is over.
  public var deadline: Deadline
  /// How long an answer may take behind its status: an object's JSON, or why the server refused, is a moment's worth.
  public var answerPatience = Duration.seconds(30)
  /// Time that goes by, from any point on: how fast the link is.
  public var elapsed: @Sendable () -> Duration

  /// All but the transport is for tests, or as usual; the parameters are the properties.
  public init(
    transport: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), layout: ChunkLayout = ChunkLayout(),
    clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }, deadline: Deadline = .kept,
    elapsed: @escaping @Sendable () -> Duration = DirectUpload.monotonicTime
  ) {
    self.transport = transport
    self.policy = policy
    self.layout = layout
    self.clock = clock
    self.generator = generator
    self.now = now
    self.deadline = deadline
    self.elapsed = elapsed
  }

  private static let start = ContinuousClock.now
  /// Since the program's first upload.
  public static let monotonicTime: @Sendable () -> Duration = { ContinuousClock.now - start }

  /// Uploads everything from `source` that the server does not hold yet.
  ///
  /// - Parameters:
  ///   - source: what is sent.
  ///   - session: its confirmed offset is a hint; beyond zero, or with `.resumed`, the server is asked first.
  ///   - start: whether the server may have bytes already.
  ///   - contentType: what the server is told the file is.
  ///   - resolveURL: the absolute URL to `PUT` to.
  ///   - save: given the session whenever the confirmed offset changed, before the next byte goes out.
  ///   - waiting: told before each pause between two tries, with how far the upload is.
  ///   - progress: called on any thread.
  /// - Throws: `UploadError`, `CancellationError` (what is confirmed is saved), or what the closures throw.
  public func upload(
    _ source: some UploadSource, session: UploadSession, start: Start = .fresh, contentType: String = "video/mp4",
    resolveURL: @Sendable () async throws -> String, save: @Sendable (UploadSession) async throws -> Void,
    waiting: @Sendable (UploadSession, UploadProgress.Pause) async -> Void = { _, _ in },
    progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> UploadReceipt {
    var run = UploadRun(session: session, start: start, layout: layout)
    var generator = self.generator
    while true {
      try Task.checkCancellation()
      try checkDeadline(of: session)
      let range = try await run.nextRange(source)
      progress(run.progress(total: source.byteCount))
      try source.checkUnchanged()
      let outcome = try await exchange(
        range, of: source, contentType: contentType, url: try await resolveURL(), run: &run, progress: progress)
      if outcome.hasGrown { run.retries.reset() }
      if run.noteConfirmed() { try await save(run.session) }
      if outcome.lostByteCount > 0 {
        let note = "the server lost \(outcome.lostByteCount) bytes that it had confirmed; sending them again"
        var loss = run.progress(total: source.byteCount)
        loss.note = note
        progress(loss)
      }
      switch outcome.verdict {
      case .next: continue
      case .complete(let object):
        try source.checkUnchanged()
        try await Self.check(object, against: source)
        let receipt = run.receipt(total: source.byteCount)
        var done = UploadProgress(confirmedByteCount: receipt.byteCount, totalByteCount: receipt.byteCount)
        done.isComplete = true
        progress(done)
        return receipt
      case .wait(let least, let reason, let isAllStored, let isDiskFull):
        guard let delay = run.retries.nextDelay(policy, retryAfter: least, using: &generator) else {
          if isAllStored { throw UploadError.protocolViolation(reason) }
          if isDiskFull { throw UploadError.serverDiskFull }
          throw UploadError.unreachable(reason: Self.reason(reason, retryAfter: least, budget: policy.budget))
        }
        // Whoever sleeps beyond the end wakes up with nothing.
        try checkDeadline(of: session, in: delay)
        let pause = UploadProgress.Pause(duration: delay, reason: reason)
        await waiting(run.session, pause)
        progress(run.progress(total: source.byteCount, pause: pause))
        try await clock.sleep(for: delay)
      }
    }
  }

  /// A request that begins in a URL's last seconds ends behind them.
  private static let margin: Int64 = 5

  private func checkDeadline(of session: UploadSession, in delay: Duration = .zero) throws(UploadError) {
    guard deadline == .kept, session.expiresAt > 0, now() + delay.components.seconds + Self.margin >= session.expiresAt
    else {
      return
    }
    throw .urlExpired(status: nil)
  }

  /// One request and its answer, or the lack of one.
  private func exchange(
    _ range: ContentRange, of source: some UploadSource, contentType: String, url: String, run: inout UploadRun,
    progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> ChunkProtocol.Outcome {
    var request = Self.request(range, of: source, contentType: contentType, url: url)
    request.mayReuseConnection = run.mayReuseConnections
    request.answerPatience = answerPatience
    request.isOfUpload = true
    let before = run.progress(total: source.byteCount)
    let sent = Mutex<Int64>(0)
    let begun = elapsed()
    defer { run.count(range, sent: sent.withLock { $0 }) }
    do {
      let response = try await transport.send(request) { sentByteCount in
        sent.withLock { $0 = sentByteCount }
        var now = before
        now.sentByteCount = sentByteCount
        progress(now)
      }
      let left = max(range.byteCount - response.unsentByteCount, 0)
      sent.withLock { $0 = left }
      let answer = ChunkResponse(response, now: now(), hiding: url)
      return try run.chunks.take(
        answer, to: range, total: source.byteCount, took: elapsed() - begun, sentByteCount: left)
    } catch let error as CurlError {
      guard error.isTemporary else { throw UploadError.unreachable(reason: error.description) }
      // Some servers close a connection a moment after an answer, without a word: every next request would meet that.
      if error.brokeKeptConnection { run.mayReuseConnections = false }
      sent.withLock { $0 = error.sentByteCount }
      return run.chunks.noteBrokenConnection(error.description, on: range, sentByteCount: error.sentByteCount)
    }
  }

  /// Reads the file once more where the server tells what it stored: bytes that were mixed with others are found here.
  private static func check(_ object: StoredObject, against source: some UploadSource) async throws {
    guard let expected = object.crc32c, let byteCount = source.byteCount else { return }
    let crc32c = try await WorkerThread.run("bsc checksum") { cancellation in
      var crc = CRC32C()
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      var offset: Int64 = 0
      while offset < byteCount {
        try cancellation.check()
        let count = try unsafe buffer.withUnsafeMutableBytes { buffer in
          let wanted = Int(min(Int64(buffer.count), byteCount - offset))
          return try unsafe source.read(into: .init(rebasing: buffer[..<wanted]), at: offset)
        }
        crc.update(buffer[..<count])
        offset += Int64(count)
      }
      return crc.value
    }
    guard crc32c == expected else {
      throw UploadError.protocolViolation("the server holds other bytes than the file has (its CRC-32C differs)")
    }
  }

  private static func request(
    _ range: ContentRange, of source: some UploadSource, contentType: String, url: String
  ) -> HTTPRequest {
    var request = HTTPRequest(.put, url: url, headers: ["Content-Range": range.description], body: .data([]))
    request.maximumAnswerByteCount = 64 << 10
    if case .bytes(let chunk, _) = range {
      request.headers["Content-Type"] = contentType
      let read: HTTPBodyStream.Reader = { buffer, offset in
        unsafe try source.read(into: buffer, at: chunk.lowerBound + offset)
      }
      request.body = unsafe .stream(HTTPBodyStream(byteCount: Int64(chunk.count), read: read))
    }
    return request
  }

  private static func reason(_ reason: String, retryAfter: Duration?, budget: Duration) -> String {
    if let retryAfter, retryAfter > budget {
      return "\(reason) and asks to come back in \(retryAfter.components.seconds) s"
    }
    return "\(reason), and did so for \(budget.components.seconds) s of retries"
  }
}

/// What one call of `upload` keeps between its requests.
private struct UploadRun {
  var session: UploadSession
  var chunks: ChunkProtocol
  var retries = RetryState()
  var mayReuseConnections = true
  private var requestCount = 0
  private var sentByteCount: Int64 = 0

  init(session: UploadSession, start: DirectUpload.Start, layout: ChunkLayout) {
    self.session = session
    chunks = ChunkProtocol(confirmedOffset: session.confirmedOffset, isResumed: start == .resumed, layout: layout)
  }

  mutating func nextRange(_ source: some UploadSource) async throws -> ContentRange {
    // One byte more than the chunk tells whether the chunk is the last one.
    let end = chunks.confirmedOffset + chunks.layout.chunkByteCount + 1
    let available = chunks.isQueryNext ? 0 : try await source.available(upTo: end)
    return try chunks.nextRange(available: available, total: source.byteCount)
  }

  /// - Parameter sent: bytes of its body that left.
  mutating func count(_ range: ContentRange, sent: Int64) {
    guard case .bytes = range else { return }
    requestCount += 1
    sentByteCount += sent
  }

  /// Takes the confirmed offset over into the session; true when it is another one than before.
  mutating func noteConfirmed() -> Bool {
    guard session.confirmedOffset != chunks.confirmedOffset else { return false }
    session.confirmedOffset = chunks.confirmedOffset
    return true
  }

  func progress(total: Int64?, pause: UploadProgress.Pause? = nil) -> UploadProgress {
    UploadProgress(confirmedByteCount: chunks.confirmedOffset, totalByteCount: total, pause: pause)
  }

  func receipt(total: Int64?) -> UploadReceipt {
    UploadReceipt(
      uploadID: session.uploadID, byteCount: total ?? chunks.confirmedOffset, requestCount: requestCount,
      sentByteCount: sentByteCount)
  }
}
