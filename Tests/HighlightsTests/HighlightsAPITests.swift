import ClipModel
import Foundation
import Highlights
import LibCurl
import TestSupport
import Testing

@Suite struct HighlightsAPITests {
  @Test func createUploadSendsTheDraftAndTheIdempotencyKey() async throws {
    let fixture = try await HighlightsFixture([.json(201, #"{"id":"u1","url":"/upload/1?token=t","expires_at":99}"#)])
    let draft = HighlightDraft(highlightID: HighlightsFixture.id, caption: "Ass #spike", tags: ["spike"], duration: 9)
    let ticket = try await fixture.api.createUpload(draft, idempotencyKey: "job-1", timeoutSeconds: 86_400)
    #expect(ticket == UploadTicket(id: "u1", url: "/upload/1?token=t", expiresAt: 99))
    let request = try #require(fixture.server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/uploads?timeout=86400")
    #expect(request.headers["idempotency-key"] == "job-1")
    #expect(request.headers["apikey"] == HighlightsFixture.apiKey)
    #expect(request.headers["content-type"] == "application/json")
    #expect(try JSONDecoder().decode(HighlightDraft.self, from: Data(request.body.utf8)) == draft)
  }

  @Test(arguments: [FaultAPIServer.Answer.reset, .json(503, "busy"), .json(429, "", headers: ["Retry-After": "1"])])
  func createUploadIsRetriedWithTheSameKeyAndBody(failure: FaultAPIServer.Answer) async throws {
    let fixture = try await HighlightsFixture([
      failure, failure, .json(200, #"{"id":"u1","url":"https://host/x","expires_at":99}"#),
    ])
    let draft = HighlightDraft(highlightID: HighlightsFixture.id, duration: 9)
    _ = try await fixture.api.createUpload(draft, idempotencyKey: "job-1", timeoutSeconds: 3600)
    let requests = fixture.server.requests
    #expect(requests.count == 3)
    #expect(Set(requests.map(\.body)).count == 1)
    #expect(Set(requests.map { $0.headers["idempotency-key"] }) == ["job-1"])
    #expect(fixture.clock.sleeps.count == 2)
  }

  @Test func highlightsAreListedNewestFirstInPages() async throws {
    let fixture = try await HighlightsFixture([.json(200, "[\(HighlightsFixture.row)]")])
    let rows = try await fixture.api.highlights(limit: 20, offset: 40)
    #expect(rows.map(\.id) == [HighlightsFixture.id])
    #expect(rows.first?.localRallyIndex == 3)
    #expect(
      fixture.server.requests.map(\.target)
        == ["/rest/v1/highlights?select=*&order=created_at.desc&limit=20&offset=40"])
  }

  @Test func missingRowIsNil() async throws {
    let fixture = try await HighlightsFixture([.json(200, "[]")])
    #expect(try await fixture.api.highlight(HighlightsFixture.id) == nil)
    #expect(
      fixture.server.requests.map(\.target)
        == ["/rest/v1/highlights?select=*&id=eq.6f9619ff-8b86-4011-b42d-00cf4fc964ff"])
  }

  @Test func deleteFiltersByID() async throws {
    let fixture = try await HighlightsFixture([.json(204, "")])
    try await fixture.api.deleteHighlight(HighlightsFixture.id)
    let request = try #require(fixture.server.requests.first)
    #expect(request.method == "DELETE")
    #expect(request.target == "/rest/v1/highlights?id=eq.6f9619ff-8b86-4011-b42d-00cf4fc964ff")
  }

  @Test func cancelPostsToTheUpload() async throws {
    let fixture = try await HighlightsFixture([.json(200, HighlightsFixture.state("cancelled"))])
    try await fixture.api.cancelUpload("u/1")
    #expect(fixture.server.requests.map(\.target) == ["/uploads/u%2F1/cancel"])
    #expect(fixture.server.requests.map(\.method) == ["POST"])
  }

  /// The server refuses to cancel an upload that has ended.
  @Test(arguments: [("timed_out", true), ("errored", true), ("ready", false)])
  func endedUploadNeedsNoCancellation(status: String, isEnded: Bool) async throws {
    let fixture = try await HighlightsFixture([
      .json(409, #"{"message":"the upload has ended"}"#), .json(200, HighlightsFixture.state(status)),
    ])
    if isEnded {
      try await fixture.api.cancelUpload("u1")
    } else {
      await #expect(throws: HighlightsError.self) { try await fixture.api.cancelUpload("u1") }
    }
  }

  private static func trim(_ status: String, _ more: String = "") -> FaultAPIServer.Answer {
    .json(200, #"{"id":"t1","status":"\#(status)"\#(more)}"#)
  }

  @Test func trimWaitsUntilTheHighlightHasItsNewVideo() async throws {
    let fixture = try await HighlightsFixture([
      Self.trim("waiting"), Self.trim("waiting"), Self.trim("ready"), .json(200, "[\(HighlightsFixture.row)]"),
    ])
    let trimmed = try await fixture.api.trimHighlight(HighlightsFixture.id, to: 2.5..<9.25)
    #expect(trimmed?.id == HighlightsFixture.id)
    let requests = fixture.server.requests
    #expect(requests.count == 4)
    #expect(requests.prefix(3).map(\.target) == ["/trim", "/trim/t1", "/trim/t1"])
    #expect(
      requests.first?.body == #"{"from":2.5,"highlight_id":"6f9619ff-8b86-4011-b42d-00cf4fc964ff","to":9.25}"#)
    #expect(fixture.clock.sleeps.count == 2)
  }

  @Test func reportsATrimWithoutAResult() async throws {
    let failed = try await HighlightsFixture([Self.trim("waiting"), Self.trim("errored", #","error":"too short""#)])
    await #expect(throws: HighlightsError.clipRejected(reason: "too short")) {
      _ = try await failed.api.trimHighlight(HighlightsFixture.id, to: 0..<5)
    }
    let missing = try await HighlightsFixture([.json(404, "{}")])
    #expect(try await missing.api.trimHighlight(HighlightsFixture.id, to: 0..<5) == nil)
    let endless = try await HighlightsFixture([Self.trim("waiting")])
    await #expect(throws: HighlightsError.notReadyInTime(seconds: 600)) {
      _ = try await endless.api.trimHighlight(HighlightsFixture.id, to: 0..<5)
    }
  }

  /// The local backend may have finished a trim whose response was lost. A repeated request would trim the result.
  @Test func trimIsNotRepeatedAfterALostResponse() async throws {
    let fixture = try await HighlightsFixture([.reset, Self.trim("ready")])
    await #expect(throws: HighlightsError.self) {
      _ = try await fixture.api.trimHighlight(HighlightsFixture.id, to: 0..<5)
    }
    #expect(fixture.server.requests.count == 1)
  }

  static let bodies: [(String, String)] = [
    (#"{"code":"42P01","message":"no table","details":null,"hint":"migrate"}"#, "no table (migrate)"),
    (
      #"{"error":{"type":"invalid_parameters","messages":["caption too long","bad tag"]}}"#, "caption too long; bad tag"
    ),
    (#"{"code":400,"error_code":"x","msg":"Invalid login"}"#, "Invalid login"),
    (#"{"error":"invalid request","error_description":"Bad token"}"#, "Bad token"),
    ("<html><body>Bad Gateway</body></html>", "no reason given"),
    ("plain\u{1B}[31m words", "plain[31m words"), ("", "no reason given"), ("[1]", "no reason given"),
  ]

  @Test(arguments: bodies) func readsTheReasonInEveryErrorFormat(body: String, reason: String) async throws {
    let fixture = try await HighlightsFixture([.json(400, body)])
    await #expect(throws: HighlightsError.refused(operation: "list highlights", status: 400, reason: reason)) {
      _ = try await fixture.api.highlights(limit: 1, offset: 0)
    }
    #expect(fixture.server.requests.count == 1)
  }

  @Test(arguments: [401, 403]) func authorizationErrorsAreNotRetried(status: Int) async throws {
    let fixture = try await HighlightsFixture([.json(status, #"{"code":"PGRST303","message":"JWT expired"}"#)])
    let error = await #expect(throws: HighlightsError.self) { _ = try await fixture.api.uploadState("u1") }
    #expect(error == .notAuthorized(operation: "read the upload's state", reason: "JWT expired"))
    #expect(error?.explanation.category == .notConfigured)
    #expect(fixture.server.requests.count == 1)
  }

  @Test func persistentFailureEndsWithTheReason() async throws {
    let fixture = try await HighlightsFixture([.json(502, #"{"message":"upstream"}"#)])
    await #expect(
      throws: HighlightsError.unreachable(
        operation: "read the upload's state", reason: "the backend responded with 502: upstream")
    ) { _ = try await fixture.api.uploadState("u1") }
    #expect(fixture.server.requests.count < 10)
    #expect(fixture.clock.sleeps.reduce(.zero, +) <= .seconds(30))
  }

  @Test func reportsAFullServerDisk() async throws {
    let fixture = try await HighlightsFixture([.json(507, #"{"message":"full"}"#)])
    let error = await #expect(throws: HighlightsError.self) { _ = try await fixture.api.uploadState("u1") }
    #expect(error == .backendDiskFull(operation: "read the upload's state"))
    #expect(error?.explanation.id == "backend.disk-full")
  }

  @Test(arguments: [
    ("{}", "the key id is missing"), ("<html>", "the body is not JSON"),
    (HighlightsFixture.state("dancing"), "status has an unknown value"),
  ]) func unreadableAnswerReportsTheKey(body: String, reason: String) async throws {
    let fixture = try await HighlightsFixture([.json(200, body)])
    await #expect(
      throws: HighlightsError.unreadableAnswer(operation: "read the upload's state", reason: reason)
    ) { _ = try await fixture.api.uploadState("u1") }
  }

  @Test func reportsAnExistingHighlight() async throws {
    let fixture = try await HighlightsFixture([
      .json(409, #"{"error":{"type":"already_registered","messages":["the highlight exists already"]}}"#)
    ])
    await #expect(throws: HighlightsError.alreadyRegistered) {
      _ = try await fixture.api.createUpload(
        HighlightDraft(highlightID: HighlightsFixture.id, duration: 9), idempotencyKey: "k", timeoutSeconds: 60)
    }
  }

  /// A refused token is renewed once, because a row rule would refuse the new token too.
  @Test(arguments: [1, 2]) func refusedTokenIsRenewedOnce(refusals: Int) async throws {
    let refusal = FaultAPIServer.Answer.json(401, #"{"code":"PGRST303","message":"JWT expired"}"#)
    let server = try await FaultAPIServer(answers: Array(repeating: refusal, count: refusals) + [.json(200, "[]")])
    let url = server.url
    let api = HighlightsAPI(transport: try TransferThread(), clock: FaultClock()) { refused in
      let token = refused == nil ? "old" : "new"
      return BackendEndpoint(
        functionsURL: url, restURL: url, headers: ["apikey": "key", "Authorization": "Bearer \(token)"])
    }
    if refusals == 1 {
      #expect(try await api.highlights(limit: 1, offset: 0).isEmpty)
    } else {
      let error = await #expect(throws: HighlightsError.self) { _ = try await api.highlights(limit: 1, offset: 0) }
      #expect(error == .notAuthorized(operation: "list highlights", reason: "JWT expired"))
    }
    #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
  }
}
