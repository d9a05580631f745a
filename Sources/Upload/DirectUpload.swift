public import ClipModel
import DurableFiles
import Foundation
public import LibCurl
import Synchronization

/// Uploads a file in chunks to a direct upload URL, and resumes automatically after errors.
///
/// The upload relies only on offsets that the server acknowledges. The URL is a credential: it's requested before each
/// request (the local backend's port can change), never stored, and never part of an error.
public struct DirectUpload: Sendable {
  /// Whether the server may already have bytes of the file.
  public enum StartMode: Sendable {
    /// The server has no bytes yet, so the first bytes are sent immediately.
    case fresh
    /// An earlier run may have sent bytes without recording them, so the server is queried first.
    case resumed
  }

  /// What to do when the upload URL expires. Mux doesn't document whether an upload in progress can still be completed.
  public enum ExpirationPolicy: String, Sendable, CaseIterable {
    /// Stop sending bytes.
    case kept
    /// Continue, and let the server decide.
    case server
  }

  /// The transport that sends the requests: a `TransferThread`, or a stub in tests.
  public var transport: any HTTPTransport
  /// The policy for delays between attempts.
  public var policy: RetryPolicy
  /// The chunk sizes.
  public var layout: ChunkLayout
  /// The clock that measures the delays between attempts.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// The random number generator for the jitter of the delays.
  public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  /// Returns the current Unix time in seconds, for `Retry-After` dates and the URL's expiration.
  public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  /// What to do when the upload URL expires.
  public var deadline: ExpirationPolicy
  /// The maximum time to wait for a response's body after its status has arrived.
  public var responseTimeout = Duration.seconds(30)

  /// Creates an uploader. Tests change the other properties later.
  public init(
    transport: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), layout: ChunkLayout = ChunkLayout(),
    deadline: ExpirationPolicy = .kept
  ) {
    (self.transport, self.policy, self.layout, self.deadline) = (transport, policy, layout, deadline)
  }

  /// Uploads a file. If an earlier run has uploaded some of its bytes, only the remaining bytes are sent.
  /// - Parameters:
  ///   - source: the bytes to send.
  ///   - url: the absolute `http` or `https` URL of a Mux direct upload or a resumable Google Cloud Storage session.
  ///     The URL is a credential, so it's neither stored nor part of any error.
  ///   - contentType: the file's `Content-Type`.
  ///   - progress: a closure that is called frequently, on any thread.
  /// - Throws: ``UploadError`` or `CancellationError`. The server keeps the acknowledged bytes, so calling this method
  ///   again sends only the remaining bytes.
  public func upload(
    _ source: some UploadSource, to url: String, contentType: String = "video/mp4",
    progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
  ) async throws -> UploadReceipt {
    try await upload(
      source,
      session: UploadSession(uploadID: "", byteCount: source.byteCount ?? 0, confirmedOffset: 0, expiresAt: 0),
      start: .resumed, contentType: contentType, resolveURL: { url }, save: { _ in }, progress: progress)
  }

  /// Uploads the bytes that the server doesn't have yet, and saves each confirmed offset.
  /// - Parameters:
  ///   - source: the bytes to send.
  ///   - session: the upload session. If its confirmed offset is nonzero or `start` is `.resumed`, the server is
  ///     queried first.
  ///   - start: whether the server may already have bytes of the file.
  ///   - contentType: the file's `Content-Type`.
  ///   - resolveURL: returns the absolute URL for the `PUT` requests.
  ///   - save: saves the session whenever the confirmed offset changes, before more bytes are sent.
  ///   - waiting: a closure that is called with the current session before each delay.
  ///   - progress: a closure that is called on any thread.
  /// - Throws: `UploadError`, `CancellationError` (after the confirmed offset is saved), or an error that a closure
  ///   throws.
  public func upload(
    _ source: some UploadSource, session: UploadSession, start: StartMode = .fresh, contentType: String = "video/mp4",
    resolveURL: @Sendable () async throws -> String, save: @Sendable (UploadSession) async throws -> Void,
    waiting: @Sendable (UploadSession, UploadProgress.Pause) async -> Void = { _, _ in },
    progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> UploadReceipt {
    var run = UploadRun(session: session, start: start, layout: layout)
    var generator = self.generator
    while true {
      try Task.checkCancellation()
      try requireUnexpired(session)
      let range = try await run.nextRange(source)
      progress(run.makeProgress(total: source.byteCount))
      try source.checkUnchanged()
      let outcome = try await sendRequest(
        range, of: source, contentType: contentType, url: try await resolveURL(), run: &run, progress: progress)
      if outcome.hasGrown { run.retries.reset() }
      if run.updateSession() { try await save(run.session) }
      if outcome.lostByteCount > 0 {
        var loss = run.makeProgress(total: source.byteCount)
        loss.note = "the server lost \(outcome.lostByteCount) acknowledged bytes; bsc is resending them"
        progress(loss)
      }
      switch outcome.verdict {
      case .next: continue
      case .complete(let object):
        try source.checkUnchanged()
        try await Self.verifyChecksum(of: object, against: source)
        let receipt = run.makeReceipt(total: source.byteCount)
        var done = UploadProgress(confirmedByteCount: receipt.byteCount, totalByteCount: receipt.byteCount)
        done.isComplete = true
        progress(done)
        return receipt
      case .wait(let least, let reason, let isAllStored, let isDiskFull):
        guard let delay = run.retries.nextDelay(policy, retryAfter: least, using: &generator) else {
          if isAllStored { throw UploadError.protocolViolation(reason) }
          if isDiskFull { throw UploadError.serverDiskFull }
          throw UploadError.unreachable(reason: retryFailureReason(reason, retryAfter: least))
        }
        try requireUnexpired(session, after: delay)
        let pause = UploadProgress.Pause(duration: delay, reason: reason)
        await waiting(run.session, pause)
        progress(run.makeProgress(total: source.byteCount, pause: pause))
        try await clock.sleep(for: delay)
      }
    }
  }

  /// Checks that the upload URL remains valid long enough for another request.
  /// - Throws: `UploadError.urlExpired` if the URL expires within seconds, because a request that starts now would
  ///   fail.
  private func requireUnexpired(_ session: UploadSession, after delay: Duration = .zero) throws(UploadError) {
    let margin: Int64 = 5
    guard deadline == .kept, session.expiresAt > 0 else { return }
    if now() + delay.components.seconds + margin >= session.expiresAt { throw .urlExpired(status: nil) }
  }

  private func retryFailureReason(_ reason: String, retryAfter: Duration?) -> String {
    if let retryAfter, retryAfter > policy.budget {
      return "\(reason) and requested a retry in \(retryAfter.components.seconds) s"
    }
    return "\(reason), even after retrying for \(policy.budget.components.seconds) s"
  }

  /// Sends a request, and handles its response or connection error.
  private func sendRequest(
    _ range: ContentRange, of source: some UploadSource, contentType: String, url: String, run: inout UploadRun,
    progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> ChunkProtocol.Outcome {
    var request = Self.makeRequest(range, of: source, contentType: contentType, url: url)
    request.reusesConnection = run.reusesConnections
    request.responseTimeout = responseTimeout
    let before = run.makeProgress(total: source.byteCount)
    let sent = Mutex<Int64>(0)
    let start = ContinuousClock.now
    defer { run.countRequest(range, sent: sent.withLock(\.self)) }
    do {
      let response = try await transport.send(request) { sentByteCount in
        sent.withLock { $0 = sentByteCount }
        var current = before
        current.sentByteCount = sentByteCount
        progress(current)
      }
      let sentByteCount = max(range.byteCount - response.unsentByteCount, 0)
      sent.withLock { $0 = sentByteCount }
      return try run.chunks.applyResponse(
        ChunkResponse(response, now: now(), hiding: url), to: range, took: ContinuousClock.now - start,
        sentByteCount: sentByteCount)
    } catch let error as CurlError {
      guard error.isTemporary else { throw UploadError.unreachable(reason: error.description) }
      // Some servers close the connection after each response without notice. Reusing connections would make every
      // subsequent request fail.
      if error.failedOnReusedConnection { run.reusesConnections = false }
      sent.withLock { $0 = error.sentByteCount }
      return run.chunks.applyBrokenConnection(error.description, on: range, sentByteCount: error.sentByteCount)
    }
  }

  private static func makeRequest(
    _ range: ContentRange, of source: some UploadSource, contentType: String, url: String
  ) -> HTTPRequest {
    var request = HTTPRequest(.put, url: url, headers: ["Content-Range": range.description], body: .data([]))
    request.maximumResponseByteCount = 64 << 10
    request.isUploadChunk = true
    if case .bytes(let chunk, _) = range {
      request.headers["Content-Type"] = contentType
      request.body = unsafe .stream(byteCount: Int64(chunk.count)) { buffer, offset in
        unsafe try source.read(into: buffer, at: chunk.lowerBound + offset)
      }
    }
    return request
  }

  /// Compares the checksum from the server with the file's checksum, to detect bytes from a different file.
  private static func verifyChecksum(of object: StoredObject, against source: some UploadSource) async throws {
    guard let expected = object.crc32c, let byteCount = source.byteCount else { return }
    let crc32c = try await WorkerThread.run("bsc checksum") { cancellation in
      var crc = CRC32C()
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      var offset: Int64 = 0
      while offset < byteCount {
        try cancellation.check()
        let count = try unsafe buffer.withUnsafeMutableBytes { buffer in
          let length = Int(min(Int64(buffer.count), byteCount - offset))
          return try unsafe source.read(into: .init(rebasing: buffer[..<length]), at: offset)
        }
        crc.update(buffer[..<count])
        offset += Int64(count)
      }
      return crc.value
    }
    guard crc32c == expected else {
      throw UploadError.contentMismatch("the uploaded data differs from the file (CRC-32C mismatch)")
    }
  }
}

/// The state of an upload between requests.
private struct UploadRun {
  var session: UploadSession
  var chunks: ChunkProtocol
  var retries = RetryState()
  var reusesConnections = true
  private var requestCount = 0
  private var sentByteCount: Int64 = 0

  init(session: UploadSession, start: DirectUpload.StartMode, layout: ChunkLayout) {
    self.session = session
    chunks = ChunkProtocol(confirmedOffset: session.confirmedOffset, isResumed: start == .resumed, layout: layout)
  }

  mutating func nextRange(_ source: some UploadSource) async throws -> ContentRange {
    // A growing source sends what it has instead of waiting for a full chunk. One byte stays unsent until the size is known.
    let end = chunks.isQueryNext ? 0 : chunks.confirmedOffset + ChunkLayout.unit + 1
    let available = try await source.waitForBytes(upTo: end)
    return try chunks.nextRange(available: available, total: source.byteCount)
  }

  /// Counts a request and the bytes that it sent.
  /// - Parameter sent: the number of body bytes that were sent.
  mutating func countRequest(_ range: ContentRange, sent: Int64) {
    guard case .bytes = range else { return }
    requestCount += 1
    sentByteCount += sent
  }

  /// Copies the confirmed offset to the session.
  /// - Returns: whether the confirmed offset changed.
  mutating func updateSession() -> Bool {
    guard session.confirmedOffset != chunks.confirmedOffset else { return false }
    session.confirmedOffset = chunks.confirmedOffset
    return true
  }

  func makeProgress(total: Int64?, pause: UploadProgress.Pause? = nil) -> UploadProgress {
    UploadProgress(confirmedByteCount: chunks.confirmedOffset, totalByteCount: total, pause: pause)
  }

  func makeReceipt(total: Int64?) -> UploadReceipt {
    UploadReceipt(
      uploadID: session.uploadID, byteCount: total ?? chunks.confirmedOffset, requestCount: requestCount,
      sentByteCount: sentByteCount)
  }
}
