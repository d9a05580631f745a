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
    Case(
      name: "trap 19: lost 200, size not told", rules: [.init(.loseAnswer, skip: 2)], requestCount: 4, sleepCount: 1,
      traits: .init(namesSize: false)),
    Case(name: "308 on the last chunk", rules: [.init(.stayOpen, skip: 2)], requestCount: 4),
    Case(
      name: "308 on the last chunk and on the query", rules: [.init(.stayOpen, on: .any, .counted(3), skip: 2)],
      requestCount: 6, sleepCount: 2),
    Case(name: "offset goes back once", rules: [.init(.forget(unit), skip: 2)], requestCount: 5),
    Case(name: "413: smaller chunks", rules: [.init(.status(413))], requestCount: 4),
    Case(name: "416 once", rules: [.init(.status(416), skip: 1)], requestCount: 5),
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
    let chunkByteCount = fault.name.hasPrefix("413") ? 2 * unit : unit
    let receipt = try await fixture.upload(to: server.url, chunkByteCount: Int64(chunkByteCount))
    #expect(server.bytes == fixture.bytes)
    #expect(server.isComplete)
    #expect(server.requests.count == fault.requestCount)
    #expect(fixture.clock.sleeps.count == fault.sleepCount)
    #expect(receipt.requestCount == server.requests.filter { !$0.contentRange.contains("*/") }.count)
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
    guard case .outOfReach = error else { return #expect(Bool(false), "\(String(describing: error))") }
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
