import ClipModel
import Foundation
import LibCurl
import Synchronization
import TestSupport
import Testing
import Upload

@Suite struct DirectUploadTests {
  static let sizes: [(byteCount: Int, requestCount: Int)] = [
    (1, 1), (unit - 1, 1), (unit, 1), (unit + 1, 2), (2 * unit, 2), (4 * unit - 1, 4), (4 * unit, 4), (4 * unit + 1, 5),
  ]

  /// Trap 6: sizes above 32 bits. The file is sparse, and the server doesn't keep the bytes.
  @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func moreThan4GiBArrive() async throws {
    let byteCount: Int64 = 4 << 30 + 5
    let file = try ScratchFolder()
    let path = file.path("long.mp4")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(truncate(path, off_t(byteCount)) == 0)
    let server = try await FaultServer(traits: .init(keepsBytes: false))
    let upload = DirectUpload(transport: try TransferThread())
    let receipt = try await upload.upload(
      try FileSource(path: path),
      session: UploadSession(uploadID: "", byteCount: byteCount, confirmedOffset: 0, expiresAt: 0),
      resolveURL: { server.url }, save: { _ in }, progress: { _ in })
    #expect(server.isComplete && server.byteCount == Int(byteCount) && receipt.sentByteCount == byteCount)
  }

  /// Trap 10: a source may return fewer bytes than requested.
  @Test(arguments: [1000, 65_537]) func shortReadsAreAccepted(limit: Int) async throws {
    let fixture = try UploadFixture(byteCount: unit + 4321)
    let server = try await FaultServer()
    _ = try await fixture.upload(to: server.url, source: ShortReadSource(bytes: fixture.bytes, limit: limit))
    #expect(server.bytes == fixture.bytes)
  }

  /// Trap 23: delays use a monotonic clock.
  @Test func wallClockChangesDoNotAffectDelays() async throws {
    var sleeps: [[Duration]] = []
    for jump: Int64 in [0, -1_000_000, 1_000_000] {
      let fixture = try UploadFixture(byteCount: 3 * unit)
      let server = try await FaultServer([.init(.status(503), .counted(3), skip: 1)])
      let calls = Mutex<Int64>(0)
      _ = try await fixture.upload(
        to: server.url, expiresAt: 0,
        now: WallClock {
          calls.withLock { count in
            count += 1
            return 2_000_000 + (count.isMultiple(of: 2) ? jump : 0)
          }
        })
      #expect(server.bytes == fixture.bytes)
      sleeps.append(fixture.clock.sleeps)
    }
    #expect(sleeps[0].count == 3 && sleeps[1] == sleeps[0] && sleeps[2] == sleeps[0])
  }

  /// Trap 6: exact multiples get no empty request, and every edge size arrives.
  @Test(arguments: sizes)
  func everySizeArrivesInFewestRequests(byteCount: Int, requestCount: Int) async throws {
    let fixture = try UploadFixture(byteCount: byteCount)
    let server = try await FaultServer()
    let receipt = try await fixture.upload(to: server.url)
    #expect(server.bytes == fixture.bytes)
    #expect(server.isComplete)
    #expect(server.requests.count == requestCount)
    #expect(receipt.requestCount == requestCount)
    #expect(receipt.sentByteCount == Int64(byteCount))
    #expect(server.connectionCount == 1)
  }

  @Test func offsetIsSavedAfterEachChunk() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit + 5)
    let server = try await FaultServer()
    _ = try await fixture.upload(to: server.url) { session in
      #expect(server.bytes.count == Int(session.confirmedOffset), "the next chunk was sent before the save")
    }
    let unit = Int64(unit)
    #expect(fixture.saved == [unit, 2 * unit, 3 * unit])
    let claims = fixture.progress.filter(\.isComplete)
    #expect(claims.count == 1)
    #expect(fixture.progress.last == claims.first)
  }

  /// The same bytes without a limit, sent later, arrive first. With the limit, they take nine minutes.
  @Test func lowSpeedLimitIsKept() async throws {
    let (limited, unlimited) = (try UploadFixture(byteCount: 16 * unit), try UploadFixture(byteCount: 16 * unit))
    let (slow, fast) = (try await FaultServer(), try await FaultServer())
    let upload = Task {
      try await limited.upload(to: slow.url, options: TransferOptions(maximumBytesPerSecond: 8000))
    }
    #expect(try await TestTimeout.wait { limited.progress.contains { $0.sentByteCount > 0 } })
    _ = try await unlimited.upload(to: fast.url)
    #expect(fast.bytes == unlimited.bytes)
    let sent = limited.progress.map { $0.confirmedByteCount + $0.sentByteCount }
    upload.cancel()
    await #expect(throws: CancellationError.self) { try await upload.value }
    #expect(sent.allSatisfy { $0 < 8 * unit })
    // The bytes are not sent in one burst, whose pause would look like a stall.
    #expect(zip(sent, sent.dropFirst()).allSatisfy { $1 - $0 <= 40_000 }, "\(sent)")
  }

  @Test func chunksGrowOnFastLink() async throws {
    let fixture = try UploadFixture(byteCount: 20 * unit)
    let server = try await FaultServer()
    _ = try await fixture.upload(to: server.url, adaptsToLink: true)
    #expect(server.bytes == fixture.bytes)
    let lengths = server.requests.map { $0.bodyByteCount / unit }
    #expect(lengths == [1, 2, 4, 8, 5])
  }

  /// After the deadline nothing is sent, and no delay extends past it, unless the server decides.
  @Test(arguments: DirectUpload.ExpirationPolicy.allCases)
  func expiredURLIsNotUsed(deadline: DirectUpload.ExpirationPolicy) async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer()
    if deadline == .kept {
      await #expect(throws: UploadError.urlExpired(status: nil)) {
        _ = try await fixture.upload(to: server.url, expiresAt: 1000, now: WallClock { 1000 })
      }
      #expect(server.requests.isEmpty)
      let busy = try await FaultServer([.init(.status(503, headers: ["Retry-After": "500"]), .always)])
      await #expect(throws: UploadError.urlExpired(status: nil)) {
        _ = try await fixture.upload(to: busy.url, expiresAt: 1000, now: WallClock { 600 })
      }
      #expect(busy.requests.count == 1 && fixture.clock.sleeps.isEmpty)
    } else {
      _ = try await fixture.upload(to: server.url, expiresAt: 1000, deadline: .server, now: WallClock { 1000 })
      #expect(server.bytes == fixture.bytes)
    }
  }

  /// While one upload alone sends two units, forty uploads that share the same limit together send about as much.
  @Test func uploadsShareSpeedLimit() async throws {
    let server = try await FaultAPIServer(answers: [.json(200, "")])
    let options = TransferOptions(maximumBytesPerSecond: unit)
    let request = HTTPRequest(.put, url: server.url, body: .data([UInt8](repeating: 1, count: 2 * unit)))
    let sent = SentCounts(40)
    let shared = try TransferThread(options: options)
    let uploads = (0..<40).map { number in
      Task { try await shared.send(request) { sent.set($0, of: number) } }
    }
    #expect(try await TestTimeout.wait { sent.all.allSatisfy { $0 > 0 } })
    // libcurl's first burst does not count.
    let before = sent.all.reduce(0, +)
    _ = try await TransferThread(options: options).send(request)
    let together = sent.all.reduce(0, +) - before
    for upload in uploads { upload.cancel() }
    for upload in uploads { await #expect(throws: CancellationError.self) { try await upload.value } }
    #expect(together < 10 * 2 * Int64(unit), "\(together)")
  }

  @Test func resumeQueriesOffsetAndSendsRest() async throws {
    let fixture = try UploadFixture(byteCount: 4 * unit)
    let server = try await FaultServer(stored: Array(fixture.bytes.prefix(3 * unit)))
    _ = try await fixture.upload(to: server.url, confirmedOffset: Int64(unit))
    #expect(server.bytes == fixture.bytes)
    #expect(server.requests.map(\.contentRange) == ["bytes */*", "bytes \(3 * unit)-\(4 * unit - 1)/\(4 * unit)"])
  }

  @Test func resumeStartsAtZeroOfEmptyUpload() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer()
    _ = try await fixture.upload(to: server.url, confirmedOffset: Int64(unit))
    #expect(server.bytes == fixture.bytes)
    #expect(server.requests.count == 3)
  }

  /// Trap 19, across runs: only the last response was lost.
  @Test func resumeOfCompleteUploadSendsNothing() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer([.init(.loseAnswer, .always)])
    await #expect(throws: UploadError.self) {
      _ = try await fixture.upload(
        to: server.url, chunkByteCount: Int64(2 * unit), policy: RetryPolicy(budget: .zero))
    }
    #expect(server.isComplete)
    let receipt = try await fixture.upload(to: server.url, start: .resumed)
    #expect(receipt.requestCount == 0)
    #expect(server.requests.map(\.status) == [nil, 200])
  }

  @Test(arguments: [400, 401, 403]) func hostWithoutStatusQueriesGetsRestFromSavedOffset(status: Int) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(
      traits: .init(queries: .unknown(status)), stored: Array(fixture.bytes.prefix(unit)))
    _ = try await fixture.upload(to: server.url, confirmedOffset: Int64(unit))
    #expect(server.bytes == fixture.bytes)
    #expect(server.requests.count == 3)
  }

  @Test func bare200ToQueryIsNotCompletion() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(
      traits: .init(namesSize: false, queries: .unknown(200)), stored: Array(fixture.bytes.prefix(unit)))
    _ = try await fixture.upload(to: server.url, confirmedOffset: Int64(unit))
    #expect(server.bytes == fixture.bytes)
    #expect(server.isComplete)
  }

  /// Trap 21.
  @Test func errorsDoNotContainURL() async throws {
    let fixture = try UploadFixture(byteCount: 10)
    let server = try await FaultServer([.init(.reset(after: 1, keeping: 0), .always)])
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    let text = "\(String(describing: error)) \(String(reflecting: error?.explanation))"
    #expect(!text.contains(FaultServer.token))
    #expect(!text.contains("/upload/"))
    #expect(error?.explanation.category == .remote)
  }

  /// The server stops responding. Without the cancellation, only the stall window of a minute would end the upload.
  @Test(.timeLimit(.minutes(10)))
  func cancellationKeepsConfirmedOffset() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer([.init(.stall(after: 1000), skip: 1)])
    let upload = Task { try await fixture.upload(to: server.url) }
    while server.requests.count < 2 { await Task.yield() }
    upload.cancel()
    await #expect(throws: CancellationError.self) { try await upload.value }
    #expect(fixture.saved == [Int64(unit)])
  }
}

/// The sent bytes of each transfer.
private final class SentCounts: Sendable {
  private let counts: Mutex<[Int64]>

  init(_ count: Int) { counts = Mutex([Int64](repeating: 0, count: count)) }

  var all: [Int64] { counts.withLock { $0 } }

  func set(_ count: Int64, of number: Int) { counts.withLock { $0[number] = count } }
}
