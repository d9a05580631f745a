import ClipModel
import Foundation
import LibCurl
import TestSupport
import Testing
import Upload

/// Uploads with one scripted fault each: the number of requests, and that the object has the same bytes.
@Suite struct UploadFaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var rules: [FaultScript.Rule]
    var requestCount: Int
    /// Newer versions of libcurl need fewer.
    var fewestRequests: Int?
    var sleepCount = 0
    var traits = FaultServerTraits()

    var testDescription: String { name }
  }

  /// The file has three chunks, which take three requests without faults.
  static let survivable: [Case] = [
    Case(name: "trap 1: part of a chunk lost", rules: [.init(.keepOnly(1000), skip: 1)], requestCount: 4),
    Case(
      name: "trap 2: repeated short range",
      rules: [.init(.keepOnly(0), .counted(3), skip: 1)], requestCount: 6, sleepCount: 3),
    Case(name: "trap 3: no range, once", rules: [.init(.omitRange, skip: 1)], requestCount: 4),
    Case(
      name: "trap 3: never any range", rules: [], requestCount: 5,
      traits: .init(sendsRange: false)),
    Case(
      name: "trap 4: 503 four times", rules: [.init(.status(503), .counted(4))], requestCount: 11, sleepCount: 4),
    Case(
      name: "503 text/plain: the client is ahead",
      rules: [.init(.status(503, headers: ["Content-Type": "text/plain"], body: "Content-Range"))],
      requestCount: 5, sleepCount: 1),
    Case(
      name: "trap 12: reset, nothing kept", rules: [.init(.reset(after: 5000, keeping: 0), skip: 1)],
      requestCount: 5, sleepCount: 1),
    Case(
      name: "reset, an odd number of bytes kept", rules: [.init(.reset(after: 5000, keeping: 777), skip: 1)],
      requestCount: 5, sleepCount: 1),
    Case(
      name: "reset, all kept", rules: [.init(.reset(after: unit, keeping: unit), skip: 1)],
      requestCount: 4, sleepCount: 1),
    Case(name: "trap 19: lost 200", rules: [.init(.loseAnswer, skip: 2)], requestCount: 4, sleepCount: 1),
    // A 200 without a size proves completion only if all bytes were sent. libcurl before 8 loses that count, so they are
    // sent again.
    Case(
      name: "trap 19: lost 200 without a size", rules: [.init(.loseAnswer, skip: 2)], requestCount: 5,
      fewestRequests: 4, sleepCount: 1, traits: .init(namesSize: false)),
    Case(name: "308 on the last chunk", rules: [.init(.stayOpen, skip: 2)], requestCount: 4),
    Case(
      name: "308 on the last chunk and on the query", rules: [.init(.stayOpen, on: .any, .counted(3), skip: 2)],
      requestCount: 6, sleepCount: 2),
    Case(name: "offset decreases once", rules: [.init(.forget(unit), skip: 2)], requestCount: 5),
    Case(name: "413: smaller chunks", rules: [.init(.status(413))], requestCount: 4),
    Case(name: "416 once", rules: [.init(.status(416), skip: 1)], requestCount: 5),
    Case(name: "late response", rules: [.init(.delay(milliseconds: 300), .always)], requestCount: 3),
    Case(
      name: "white space around Range", rules: [.init(.addHeaders(["Range": " bytes=0-262143 \t "]))], requestCount: 3),
    Case(name: "trap 22: early 503", rules: [.init(.earlyStatus(503), skip: 1)], requestCount: 5, sleepCount: 1),
    Case(
      name: "connection closed after each response", rules: [.init(.closeAfter, on: .any, .always)], requestCount: 3),
    Case(
      name: "the query fails too",
      rules: [.init(.reset(after: 9, keeping: 0), skip: 1), .init(.reset(after: 0, keeping: 0), on: .query)],
      requestCount: 6, sleepCount: 2),
    Case(
      name: "429 on the query", rules: [.init(.status(500), skip: 1), .init(.status(429), on: .query)],
      requestCount: 6, sleepCount: 2),
  ]

  @Test(arguments: survivable) func uploadSurvivesFault(fault: Case) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(fault.rules, traits: fault.traits)
    // 413 needs a chunk that can be halved.
    let chunkByteCount = fault.name.hasPrefix("413:") ? 2 * unit : unit
    let receipt = try await fixture.upload(to: server.url, chunkByteCount: Int64(chunkByteCount))
    #expect(server.bytes == fixture.bytes)
    #expect(server.isComplete)
    #expect(((fault.fewestRequests ?? fault.requestCount)...fault.requestCount).contains(server.requests.count))
    #expect(fixture.clock.sleeps.count == fault.sleepCount)
    #expect(receipt.requestCount == server.requests.filter { !$0.contentRange.contains("*/") }.count)
  }

  /// Trap 22: the response comes before the bytes were read. Each chunk is longer than the sockets' buffers.
  @Test(arguments: [200, 201, 202, 204]) func earlySuccessIsNotCompletion(status: Int) async throws {
    let fixture = try UploadFixture(byteCount: 64 * unit)
    let server = try await FaultServer([.init(.earlyStatus(status), .counted(2))])
    let receipt = try await fixture.upload(to: server.url, chunkByteCount: Int64(64 * unit))
    #expect(server.isComplete && server.bytes == fixture.bytes)
    #expect(server.requests.map(\.status) == [status, 308, status, 308, 200])
    #expect(fixture.clock.sleeps.count == 2)
    #expect(receipt.sentByteCount < Int64(3 * 64 * unit), "unsent bytes were counted")
  }

  /// Each refusal halves the chunk, whether its size is fixed or adaptive.
  @Test(arguments: [false, true]) func tooLongChunkIsHalved(adaptsToLink: Bool) async throws {
    let fixture = try UploadFixture(byteCount: 8 * unit)
    let server = try await FaultServer([.init(.status(413), .counted(2))])
    _ = try await fixture.upload(to: server.url, chunkByteCount: Int64(8 * unit), adaptsToLink: adaptsToLink)
    #expect(server.bytes == fixture.bytes)
    #expect(server.requests.map { $0.bodyByteCount / unit } == [8, 4, 2, 2, 2, 2])
  }

  /// The server closes its connection after each response without `Connection: close`.
  @Test func unannouncedCloseCostsOneRetry() async throws {
    let fixture = try UploadFixture(byteCount: 8 * unit)
    let server = try await FaultServer([.init(.closeUnannounced, on: .any, .always)])
    _ = try await fixture.upload(to: server.url)
    #expect(server.bytes == fixture.bytes)
    #expect(fixture.clock.sleeps.count == 1)
  }

  /// The headers of a response suffice if its body never ends.
  @Test(.timeLimit(.minutes(10))) func slowResponseBodyIsTruncated() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer([.init(.trickle)])
    _ = try await fixture.upload(to: server.url, responseTimeout: .milliseconds(300))
    #expect(server.bytes == fixture.bytes)
  }

  /// Trap 13: the server confirms every byte, but never completes the upload.
  @Test func confirmedBytesAreNotCompletion() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer([.init(.stayOpen, on: .any, .always)])
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error?.explanation.id == "upload.protocol-violation")
    #expect(fixture.progress.allSatisfy { !$0.isComplete })
  }

  @Test func lostBytesAreReported() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer([.init(.forget(unit), skip: 2)])
    _ = try await fixture.upload(to: server.url)
    let notes = fixture.progress.compactMap(\.note)
    #expect(notes.count == 1 && notes[0].contains("\(unit) "), "\(notes)")
  }

  @Test(arguments: [
    (["x-goog-hash": "crc32c=AAAAAA==,md5=AAAA"], false), (["x-goog-hash": "md5=AAAA"], true), ([:], true),
  ]) func wrongBytesAreFoundByChecksum(headers: [String: String], isGood: Bool) async throws {
    let fixture = try UploadFixture(byteCount: unit + 3)
    let server = try await FaultServer([.init(.addHeaders(headers), skip: 1)])
    if isGood {
      _ = try await fixture.upload(to: server.url)
    } else {
      let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
      #expect(error?.explanation.id == "upload.content-mismatch")
    }
  }

  /// Trap 21: error pages can repeat the URL.
  @Test func refusalReasonDoesNotContainURL() async throws {
    let fixture = try UploadFixture(byteCount: 10)
    let page = "The requested URL /upload/1?token=\(FaultServer.token) is malformed; token \(FaultServer.token)"
    let server = try await FaultServer([.init(.status(400, body: page), .always)])
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error == .refused(status: 400, reason: "The requested URL …?… is malformed; token …"))
  }

  /// Every status that a server can return for each chunk ends the upload without success.
  @Test(arguments: [
    300, 301, 302, 303, 304, 307, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416,
    417, 418, 421, 422, 423, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 599,
  ]) func everyRepeatedStatusEndsUpload(status: Int) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer([.init(.status(status), .always, skip: 1)])
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    let isTemporary = status == 408 || status == 429 || status >= 500
    #expect(fixture.clock.sleeps.isEmpty != isTemporary)
    #expect(server.requests.count < 50 && !server.isComplete)
    switch status {
    case 401, 403, 404, 410: #expect(error == .urlExpired(status: status))
    case 499: #expect(error == .cancelledRemotely)
    case 300..<400: #expect(error?.explanation.id == "upload.protocol-violation")
    case 507: #expect(error == .serverDiskFull)
    case _ where isTemporary:
      guard case .unreachable = error else { return #expect(Bool(false), "\(String(describing: error))") }
    default:
      guard case .refused(status, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
  }

  struct FatalCase: CustomTestStringConvertible, Sendable {
    var name: String
    var rules: [FaultScript.Rule]
    /// The part of the error's ID after `upload.`.
    var errorID: String
    var status: String?
    var requestCount: Int

    var testDescription: String { name }
  }

  static let fatal: [FatalCase] = [
    FatalCase(
      name: "trap 5: 403", rules: [.init(.status(403), .always, skip: 1)], errorID: "url-expired", status: "403",
      requestCount: 2),
    FatalCase(
      name: "trap 22: early 403", rules: [.init(.earlyStatus(403), .always, skip: 1)], errorID: "url-expired",
      status: "403", requestCount: 2),
    FatalCase(
      name: "410", rules: [.init(.status(410), .always)], errorID: "url-expired", status: "410", requestCount: 1),
    FatalCase(
      name: "400", rules: [.init(.status(400, body: "nope"), .always)], errorID: "refused", status: "400",
      requestCount: 1),
    FatalCase(name: "499", rules: [.init(.status(499), .always)], errorID: "cancelled", requestCount: 1),
    FatalCase(
      name: "416 twice", rules: [.init(.status(416), .always, skip: 1)], errorID: "refused", status: "416",
      requestCount: 4),
    FatalCase(
      name: "trap 22: early 200", rules: [.init(.finishEarly, skip: 1)], errorID: "content-mismatch", requestCount: 2),
    FatalCase(
      name: "more than was sent", rules: [.init(.claim(3 * unit), skip: 0)], errorID: "protocol-violation",
      requestCount: 1),
    FatalCase(
      name: "offset decreases twice", rules: [.init(.forget(unit), .counted(2), skip: 2)],
      errorID: "protocol-violation", requestCount: 5),
    FatalCase(
      name: "redirect", rules: [.init(.status(302), .always)], errorID: "protocol-violation", requestCount: 1),
  ]

  @Test(arguments: fatal) func faultEndsUpload(fault: FatalCase) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(fault.rules)
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error?.explanation.id == "upload.\(fault.errorID)" && error?.explanation.facts["status"] == fault.status)
    #expect(server.requests.count == fault.requestCount)
    #expect(fixture.clock.sleeps.isEmpty)
  }

  /// Traps 2 and 4: the retry budget ends every endless fault.
  @Test(arguments: [
    [FaultScript.Rule(.status(503), on: .any, .always)], [.init(.keepOnly(0), .always)],
    [.init(.stayOpen, on: .any, .always)], [.init(.omitRange, on: .any, .always), .init(.keepOnly(0), .always)],
    [.init(.reset(after: 0, keeping: 0), on: .any, .always)],
  ]) func endlessFaultEndsWithinBudget(rules: [FaultScript.Rule]) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(rules)
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error?.explanation.category == .remote)
    #expect(server.requests.count < 50)
    #expect(fixture.clock.sleeps.reduce(.zero, +) <= .seconds(600))
  }

  @Test func retryAfterIsRespected() async throws {
    let fixture = try UploadFixture(byteCount: 100)
    let server = try await FaultServer([.init(.status(429, headers: ["Retry-After": "90"]))])
    _ = try await fixture.upload(to: server.url)
    #expect(fixture.clock.sleeps == [.seconds(90)])
  }

  @Test func stalledConnectionIsRetried() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer([.init(.stall(after: 5000))])
    _ = try await fixture.upload(to: server.url, options: TransferOptions(stallWindow: .seconds(1)))
    #expect(server.bytes == fixture.bytes)
    #expect(server.requests.count == 4)
  }

  @Test func refusedConnectionIsReported() async throws {
    let fixture = try UploadFixture(byteCount: 100)
    let server = try await FaultServer()
    try await server.stop()
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error?.explanation.why.contains("127.0.0.1") == true)
    #expect(fixture.clock.sleeps.count > 8)
  }
}
