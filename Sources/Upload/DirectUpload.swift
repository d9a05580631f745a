public import ClipModel
import DurableFiles
import Foundation
public import LibCurl
import Synchronization

/// Uploads a file to a direct-upload URL in chunks, with automatic resume.
///
/// Only the offset that the server acknowledges is used. The URL is the credential: it is requested before each request
/// (the local backend's port can change), never stored, and no error contains it.
public struct DirectUpload: Sendable {
  /// Whether the server can have bytes of the file.
  public enum Start: Sendable {
    /// The server has none, so the first byte is sent at once.
    case fresh
    /// An earlier run may have sent bytes that it did not store, so the server is queried first.
    case resumed
  }

  /// The action when the upload URL expires. Mux does not document whether a started upload can still be completed.
  public enum Deadline: String, Sendable, CaseIterable {
    /// No more bytes are sent.
    case kept
    /// The server's response decides.
    case server
  }

  /// Sends the requests: a `TransferThread`, or a stub for tests.
  public var transport: any HTTPTransport
  /// The delays between attempts, and when to give up.
  public var policy: RetryPolicy
  /// The sizes of the chunks.
  public var layout: ChunkLayout
  /// Sleeps between attempts.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// The source of randomness for the jitter of the delays.
  public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  /// Returns Unix seconds, for `Retry-After` dates and the expiry of the URL.
  public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  /// The action when the upload URL expires.
  public var deadline: Deadline
  /// The maximum time for a response's body to arrive after its status.
  public var responseTimeout = Duration.seconds(30)

  /// The parameters are stored in properties. Tests replace the other properties.
  public init(
    transport: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), layout: ChunkLayout = ChunkLayout(),
    deadline: Deadline = .kept
  ) {
    (self.transport, self.policy, self.layout, self.deadline) = (transport, policy, layout, deadline)
  }

  /// Uploads a file, or the rest of it: the server is queried first.
  /// - Parameters:
  ///   - source: the bytes to send.
  ///   - url: an absolute URL (`http` or `https`) of a Mux direct upload or a resumable session of Google Cloud Storage.
  ///     It is the credential: it is not stored, and no error contains it.
  ///   - contentType: the `Content-Type` of the file.
  ///   - progress: called often, on any thread.
  /// - Throws: ``UploadError``, `CancellationError`. The server keeps the acknowledged bytes, so calling it again sends
  ///   the rest.
  public func upload(
    _ source: some UploadSource, to url: String, contentType: String = "video/mp4",
    progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
  ) async throws -> UploadReceipt {
    try await upload(
      source,
      session: UploadSession(uploadID: "", byteCount: source.byteCount ?? 0, confirmedOffset: 0, expiresAt: 0),
      start: .resumed, contentType: contentType, resolveURL: { url }, save: { _ in }, progress: progress)
  }

  /// Uploads the bytes that the server does not have, and reports each confirmed offset.
  /// - Parameters:
  ///   - source: the bytes to send.
  ///   - session: its confirmed offset is a hint. If it is not zero, or with `.resumed`, the server is queried first.
  ///   - start: whether the server can have bytes of the file.
  ///   - contentType: the `Content-Type` of the file.
  ///   - resolveURL: returns the absolute URL for `PUT`.
  ///   - save: stores the session after each change of the confirmed offset, before the next byte is sent.
  ///   - waiting: called before each delay between attempts, with the current session.
  ///   - progress: called on any thread.
  /// - Throws: `UploadError`, `CancellationError` (the confirmed offset is stored), or an error of the closures.
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
      try requireUnexpired(session)
      let range = try await run.nextRange(source)
      progress(run.progress(total: source.byteCount))
      try source.checkUnchanged()
      let outcome = try await exchange(
        range, of: source, contentType: contentType, url: try await resolveURL(), run: &run, progress: progress)
      if outcome.hasGrown { run.retries.reset() }
      if run.updateSession() { try await save(run.session) }
      if outcome.lostByteCount > 0 {
        var loss = run.progress(total: source.byteCount)
        loss.note = "the server lost \(outcome.lostByteCount) acknowledged bytes; resending them"
        progress(loss)
      }
      switch outcome.verdict {
      case .next: continue
      case .complete(let object):
        try source.checkUnchanged()
        try await Self.verify(object, against: source)
        let receipt = run.receipt(total: source.byteCount)
        var done = UploadProgress(confirmedByteCount: receipt.byteCount, totalByteCount: receipt.byteCount)
        done.isComplete = true
        progress(done)
        return receipt
      case .wait(let least, let reason, let isAllStored, let isDiskFull):
        guard let delay = run.retries.nextDelay(policy, retryAfter: least, using: &generator) else {
          if isAllStored { throw UploadError.protocolViolation(reason) }
          if isDiskFull { throw UploadError.serverDiskFull }
          throw UploadError.unreachable(reason: finalReason(reason, retryAfter: least))
        }
        try requireUnexpired(session, after: delay)
        let pause = UploadProgress.Pause(duration: delay, reason: reason)
        await waiting(run.session, pause)
        progress(run.progress(total: source.byteCount, pause: pause))
        try await clock.sleep(for: delay)
      }
    }
  }

  /// - Throws: `UploadError.urlExpired` if the URL expires within seconds: a request that starts then would fail.
  private func requireUnexpired(_ session: UploadSession, after delay: Duration = .zero) throws(UploadError) {
    let margin: Int64 = 5
    guard deadline == .kept, session.expiresAt > 0 else { return }
    if now() + delay.components.seconds + margin >= session.expiresAt { throw .urlExpired(status: nil) }
  }

  private func finalReason(_ reason: String, retryAfter: Duration?) -> String {
    if let retryAfter, retryAfter > policy.budget {
      return "\(reason) and asks for a retry in \(retryAfter.components.seconds) s"
    }
    return "\(reason), even after retrying for \(policy.budget.components.seconds) s"
  }

  /// Sends one request and applies its response or its failure.
  private func exchange(
    _ range: ContentRange, of source: some UploadSource, contentType: String, url: String, run: inout UploadRun,
    progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> ChunkProtocol.Outcome {
    var request = Self.request(range, of: source, contentType: contentType, url: url)
    request.reusesConnection = run.reusesConnections
    request.responseTimeout = responseTimeout
    let before = run.progress(total: source.byteCount)
    let sent = Mutex<Int64>(0)
    let start = ContinuousClock.now
    defer { run.count(range, sent: sent.withLock(\.self)) }
    do {
      let response = try await transport.send(request) { sentByteCount in
        sent.withLock { $0 = sentByteCount }
        var current = before
        current.sentByteCount = sentByteCount
        progress(current)
      }
      let sentByteCount = max(range.byteCount - response.unsentByteCount, 0)
      sent.withLock { $0 = sentByteCount }
      return try run.chunks.apply(
        ChunkResponse(response, now: now(), hiding: url), to: range, total: source.byteCount,
        took: ContinuousClock.now - start, sentByteCount: sentByteCount)
    } catch let error as CurlError {
      guard error.isTemporary else { throw UploadError.unreachable(reason: error.description) }
      // Some servers close connections without notice after each response, which would make every subsequent request
      // fail.
      if error.failedOnReusedConnection { run.reusesConnections = false }
      sent.withLock { $0 = error.sentByteCount }
      return run.chunks.applyBrokenConnection(error.description, on: range, sentByteCount: error.sentByteCount)
    }
  }

  private static func request(
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

  /// Compares the checksum that the server reports with that of the file, to detect bytes from a different file.
  private static func verify(_ object: StoredObject, against source: some UploadSource) async throws {
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
      throw UploadError.protocolViolation("the stored data differs from the file (CRC-32C mismatch)")
    }
  }
}

/// The state of one upload between its requests.
private struct UploadRun {
  var session: UploadSession
  var chunks: ChunkProtocol
  var retries = RetryState()
  var reusesConnections = true
  private var requestCount = 0
  private var sentByteCount: Int64 = 0

  init(session: UploadSession, start: DirectUpload.Start, layout: ChunkLayout) {
    self.session = session
    chunks = ChunkProtocol(confirmedOffset: session.confirmedOffset, isResumed: start == .resumed, layout: layout)
  }

  mutating func nextRange(_ source: some UploadSource) async throws -> ContentRange {
    // Requesting one more byte than the chunk reveals whether it is the last chunk.
    let end = chunks.confirmedOffset + chunks.layout.chunkByteCount + 1
    let available = chunks.isQueryNext ? 0 : try await source.available(upTo: end)
    return try chunks.nextRange(available: available, total: source.byteCount)
  }

  /// - Parameter sent: the sent bytes of the body.
  mutating func count(_ range: ContentRange, sent: Int64) {
    guard case .bytes = range else { return }
    requestCount += 1
    sentByteCount += sent
  }

  /// Copies the confirmed offset to the session.
  /// - Returns: whether it changed.
  mutating func updateSession() -> Bool {
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
