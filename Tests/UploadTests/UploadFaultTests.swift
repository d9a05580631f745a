import ClipModel
import Foundation
import LibCurl
import TestSupport
import Testing
import Upload

/// One scripted fault each: how many requests it takes to get over it, and that the object is byte-identical.
@Suite struct UploadFaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var rules: [FaultScript.Rule]
    var requestCount: Int
    /// Where a newer libcurl needs fewer.
    var fewestRequests: Int?
    var sleepCount = 0
    var traits = FaultServerTraits()

    var testDescription: String { name }
  }

  /// Each with a file of three chunks, which takes three requests when all goes well.
  static let survivable: [Case] = [
    Case(name: "trap 1: part of a chunk lost", rules: [.init(.keepOnly(1000), skip: 1)], requestCount: 4),
    Case(
      name: "trap 2: short range for ever so long",
      rules: [.init(.keepOnly(0), .counted(3), skip: 1)], requestCount: 6, sleepCount: 3),
    Case(name: "trap 3: no range, once", rules: [.init(.omitRange, skip: 1)], requestCount: 4),
    Case(
      name: "trap 3: never any range", rules: [], requestCount: 5,
      traits: .init(sendsRange: false)),
    Case(
      name: "trap 4: 503 four times", rules: [.init(.status(503), .counted(4))], requestCount: 11, sleepCount: 4),
    Case(
      name: "503 text/plain: ahead of the server",
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
    // A bare 200 to a question proves something only if all bytes are known to have left. libcurl before 8 forgets how
    // many did, and they go again.
    Case(
      name: "trap 19: lost 200, size not told", rules: [.init(.loseAnswer, skip: 2)], requestCount: 5,
      fewestRequests: 4, sleepCount: 1, traits: .init(namesSize: false)),
    Case(name: "308 on the last chunk", rules: [.init(.stayOpen, skip: 2)], requestCount: 4),
    Case(
      name: "308 on the last chunk and on the query", rules: [.init(.stayOpen, on: .any, .counted(3), skip: 2)],
      requestCount: 6, sleepCount: 2),
    Case(name: "offset goes back once", rules: [.init(.forget(unit), skip: 2)], requestCount: 5),
    Case(name: "413: smaller chunks", rules: [.init(.status(413))], requestCount: 4),
    Case(name: "416 once", rules: [.init(.status(416), skip: 1)], requestCount: 5),
    Case(name: "the answer comes late", rules: [.init(.delay(milliseconds: 300), .always)], requestCount: 3),
    Case(
      name: "white space around Range", rules: [.init(.addHeaders(["Range": " bytes=0-262143 \t "]))], requestCount: 3),
    Case(name: "trap 22: early 503", rules: [.init(.earlyStatus(503), skip: 1)], requestCount: 5, sleepCount: 1),
    Case(name: "connection closed after each answer", rules: [.init(.closeAfter, on: .any, .always)], requestCount: 3),
    Case(
      name: "the query breaks too",
      rules: [.init(.reset(after: 9, keeping: 0), skip: 1), .init(.reset(after: 0, keeping: 0), on: .query)],
      requestCount: 6, sleepCount: 2),
    Case(
      name: "429 on the query", rules: [.init(.status(500), skip: 1), .init(.status(429), on: .query)],
      requestCount: 6, sleepCount: 2),
  ]

  @Test(arguments: survivable) func faultIsOvercome(fault: Case) async throws {
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

  /// Trap 22: the answer is here, the bytes are not. Each chunk is longer than what sockets take on their own.
  @Test(arguments: [200, 201, 202, 204]) func anAnswerBeforeTheBytesIsNoProof(status: Int) async throws {
    let fixture = try UploadFixture(byteCount: 64 * unit)
    let server = try await FaultServer([.init(.earlyStatus(status), .counted(2))])
    let receipt = try await fixture.upload(to: server.url, chunkByteCount: Int64(64 * unit))
    #expect(server.isComplete && server.bytes == fixture.bytes)
    #expect(server.requests.map(\.status) == [status, 308, status, 308, 200])
    #expect(fixture.clock.sleeps.count == 2)
    #expect(receipt.sentByteCount < Int64(3 * 64 * unit), "what never left was counted")
  }

  /// A chunk that is too long is halved, once for each refusal, whoever chose its length.
  @Test(arguments: [false, true]) func aChunkThatIsTooLongIsHalved(followsLink: Bool) async throws {
    let fixture = try UploadFixture(byteCount: 8 * unit)
    let server = try await FaultServer([.init(.status(413), .counted(2))])
    _ = try await fixture.upload(to: server.url, chunkByteCount: Int64(8 * unit), followsLink: followsLink)
    #expect(server.bytes == fixture.bytes)
    #expect(server.requests.map { $0.bodyByteCount / unit } == [8, 4, 2, 2, 2, 2])
  }

  /// The server closes its connections a moment after each answer and does not say so.
  @Test func connectionsThatCloseUnannouncedCostOneBreak() async throws {
    let fixture = try UploadFixture(byteCount: 8 * unit)
    let server = try await FaultServer([.init(.closeUnannounced, on: .any, .always)])
    _ = try await fixture.upload(to: server.url)
    #expect(server.bytes == fixture.bytes)
    #expect(fixture.clock.sleeps.count == 1)
  }

  /// An answer whose body never ends: what counts is in its head.
  @Test(.timeLimit(.minutes(10))) func anAnswerThatTricklesIsCutOff() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer([.init(.trickle)])
    _ = try await fixture.upload(to: server.url, answerPatience: .milliseconds(300))
    #expect(server.bytes == fixture.bytes)
  }

  /// Trap 13: a server that confirms every byte and says it is not complete has not finished; so it is told.
  @Test func allBytesConfirmedIsNotTheEnd() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer([.init(.stayOpen, on: .any, .always)])
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error == .protocolViolation("the server holds every byte but does not finish"))
    #expect(fixture.progress.allSatisfy { !$0.isComplete })
  }

  /// What is told of what the server did wrong.
  @Test func bytesThatAreLostOnceAreTold() async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer([.init(.forget(unit), skip: 2)])
    _ = try await fixture.upload(to: server.url)
    #expect(
      fixture.progress.compactMap(\.note) == ["the server lost \(unit) bytes that it had confirmed; sending them again"]
    )
  }

  @Test(arguments: [
    (["x-goog-hash": "crc32c=AAAAAA==,md5=AAAA"], false), (["x-goog-hash": "md5=AAAA"], true), ([:], true),
  ]) func bytesThatAreNotOursAreFoundByTheirChecksum(headers: [String: String], isGood: Bool) async throws {
    let fixture = try UploadFixture(byteCount: unit + 3)
    let server = try await FaultServer([.init(.addHeaders(headers), skip: 1)])
    if isGood {
      _ = try await fixture.upload(to: server.url)
    } else {
      let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
      #expect(error?.explanation.id == "upload.protocol-violation")
    }
  }

  /// Trap 21: error pages like to repeat the address.
  @Test func whatTheServerSaysDoesNotRepeatTheURL() async throws {
    let fixture = try UploadFixture(byteCount: 10)
    let page = "The requested URL /upload/1?token=\(FaultServer.token) is malformed; token \(FaultServer.token)"
    let server = try await FaultServer([.init(.status(400, body: page), .always)])
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error == .refused(status: 400, reason: "The requested URL …?… is malformed; token …"))
  }

  /// Every status that a server may answer a chunk with, again and again: each has its end, none is a success.
  @Test(arguments: [
    300, 301, 302, 303, 304, 307, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416,
    417, 418, 421, 422, 423, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 599,
  ]) func everyStatusHasItsEnd(status: Int) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer([.init(.status(status), .always, skip: 1)])
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    let isTemporary = status == 408 || status == 429 || status >= 500
    #expect(fixture.clock.sleeps.isEmpty != isTemporary)
    #expect(server.requests.count < 50 && !server.isComplete)
    switch status {
    case 401, 403, 404, 410: #expect(error == .urlExpired(status: status))
    case 499: #expect(error == .cancelledRemotely)
    case 300..<400: #expect(error == .protocolViolation("the server answered with a redirect (\(status))"))
    case 507: #expect(error == .serverDiskFull)
    case _ where isTemporary:
      guard case .unreachable = error else { return #expect(Bool(false), "\(String(describing: error))") }
    default:
      guard case .refused(status, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
  }

  static let fatal: [(String, [FaultScript.Rule], UploadError, Int)] = [
    ("trap 5: 403", [.init(.status(403), .always, skip: 1)], .urlExpired(status: 403), 2),
    ("trap 22: early 403", [.init(.earlyStatus(403), .always, skip: 1)], .urlExpired(status: 403), 2),
    ("410", [.init(.status(410), .always)], .urlExpired(status: 410), 1),
    ("400", [.init(.status(400, body: "nope"), .always)], .refused(status: 400, reason: "nope"), 1),
    ("499", [.init(.status(499), .always)], .cancelledRemotely, 1),
    (
      "416 twice", [.init(.status(416), .always, skip: 1)],
      .refused(status: 416, reason: "the range was refused twice"),
      4
    ),
    (
      "trap 22: early 200", [.init(.finishEarly, skip: 1)],
      .protocolViolation("the server ended the upload with \(2 * unit) of \(3 * unit) bytes"), 2
    ),
    (
      "more than was sent", [.init(.claim(3 * unit), skip: 0)],
      .protocolViolation("the server holds more bytes than were sent: somebody else uses this upload"), 1
    ),
    (
      "offset goes back twice", [.init(.forget(unit), .counted(2), skip: 2)],
      .protocolViolation("the server lost confirmed bytes twice"), 5
    ),
    ("redirect", [.init(.status(302), .always)], .protocolViolation("the server answered with a redirect (302)"), 1),
  ]

  @Test(arguments: fatal) func faultEndsTheUpload(
    name: String, rules: [FaultScript.Rule], expected: UploadError, requestCount: Int
  ) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(rules)
    await #expect(throws: expected) { _ = try await fixture.upload(to: server.url) }
    #expect(server.requests.count == requestCount)
    #expect(fixture.clock.sleeps.isEmpty)
  }

  /// Traps 2 and 4: whatever the server repeats for ever, the budget ends it.
  @Test(arguments: [
    [FaultScript.Rule(.status(503), on: .any, .always)], [.init(.keepOnly(0), .always)],
    [.init(.stayOpen, on: .any, .always)], [.init(.omitRange, on: .any, .always), .init(.keepOnly(0), .always)],
    [.init(.reset(after: 0, keeping: 0), on: .any, .always)],
  ]) func endlessFaultIsGivenUp(rules: [FaultScript.Rule]) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer(rules)
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    // A server that never tells an offset and never finishes is at fault, not out of reach.
    #expect(error?.explanation.category == .remote)
    #expect(server.requests.count < 50)
    #expect(fixture.clock.sleeps.reduce(.zero, +) <= .seconds(600))
  }

  @Test func retryAfterIsObeyed() async throws {
    let fixture = try UploadFixture(byteCount: 100)
    let server = try await FaultServer([.init(.status(429, headers: ["Retry-After": "90"]))])
    _ = try await fixture.upload(to: server.url)
    #expect(fixture.clock.sleeps == [.seconds(90)])
  }

  @Test func stalledConnectionIsGivenUpAndContinued() async throws {
    let fixture = try UploadFixture(byteCount: 2 * unit)
    let server = try await FaultServer([.init(.stall(after: 5000))])
    _ = try await fixture.upload(to: server.url, options: TransferOptions(stallWindow: .seconds(1)))
    #expect(server.bytes == fixture.bytes)
    #expect(server.requests.count == 4)
  }

  @Test func nobodyListening() async throws {
    let fixture = try UploadFixture(byteCount: 100)
    let server = try await FaultServer()
    try await server.stop()
    let error = await #expect(throws: UploadError.self) { _ = try await fixture.upload(to: server.url) }
    #expect(error?.explanation.why.contains("127.0.0.1") == true)
    #expect(fixture.clock.sleeps.count > 8)
  }
}
