import ClipModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// The parts of moderation that depend on time, and those that requests can't reach.
@Suite(.timeLimit(.minutes(10))) struct ModerationTests {
  private static func withStore(_ test: (ServerStore, WallClock) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/bsc-moderation-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = WallClock()
    let store = try ServerStore(path: folder + "/backend.sqlite", now: { clock.now })
    try store.database.write { db in
      for name in ["eve", "mod"] {
        try db.execute(sql: "INSERT INTO auth_users (id, created_at) VALUES (?, server_time())", arguments: [name])
        try db.execute(
          sql: "INSERT INTO profiles (id, display_name, username, created_at) VALUES (?1, ?1, ?1, server_time())",
          arguments: [name])
      }
    }
    try test(store, clock)
  }

  /// Decides about eve's profile.
  @discardableResult
  private static func decide(_ action: String, _ store: ServerStore, _ clock: WallClock) throws -> Decision.Consequence
  {
    try store.database.write { db in
      try Decision(
        moderator: "mod", action: action, targetType: "user_profile", target: "eve", reason: "x".databaseValue,
        now: clock.now
      ).apply(in: db)
    }
  }

  private static func restriction(_ store: ServerStore) throws -> String? {
    try store.database.read { db in try AccountRestriction.end(ofAccount: "eve", in: db) }
  }

  @Test func restrictionsEndAndOffensesExpire() throws {
    try Self.withStore { store, clock in
      #expect(try Self.decide("warn", store, clock).action == "warn")
      clock.advance(1)
      let first = try Self.decide("warn", store, clock)
      #expect(first.until == timestampText(clock.now.addingTimeInterval(7 * 86_400)))
      clock.advance(6 * 86_400)
      #expect(try Self.restriction(store) == first.until)
      clock.advance(86_400 + 1)
      #expect(try Self.restriction(store) == nil)
      let second = try Self.decide("restrict", store, clock)
      #expect(second.until == timestampText(clock.now.addingTimeInterval(30 * 86_400)))
      clock.advance(91 * 86_400)
      #expect(try Self.decide("warn", store, clock).action == "warn")
    }
  }

  @Test func aLaterRestrictionDoesNotShortenAnEarlierOne() throws {
    try Self.withStore { store, clock in
      try Self.decide("warn", store, clock)
      let end = timestampText(clock.now.addingTimeInterval(20 * 86_400))
      try store.database.write { db in
        try db.execute(
          sql:
            "INSERT INTO moderation_actions VALUES ('1', 'mod', 'eve', 'restrict', 'user_profile', 'eve', 'x', ?, ?)",
          arguments: [end, timestampText(clock.now.addingTimeInterval(-91 * 86_400))])
      }
      #expect(try Self.decide("restrict", store, clock).until == end)
    }
  }

  @Test func theLogOnlyGrows() throws {
    try Self.withStore { store, clock in
      try Self.decide("warn", store, clock)
      for statement in ["UPDATE moderation_actions SET reason = 'y'", "DELETE FROM moderation_actions"] {
        #expect(throws: DatabaseError.self, "\(statement)") {
          try store.database.write { db in try db.execute(sql: statement) }
        }
      }
      try store.database.write { db in try db.execute(sql: "DELETE FROM auth_users") }
      let reasons = try store.database.read { db in
        try String.fetchAll(db, sql: "SELECT reason FROM moderation_actions")
      }
      #expect(reasons == ["x"])
    }
  }

  @Test func theOwnerOfTheServerModerates() async throws {
    try await TestBackend.run { backend in
      let queue = "/rest/v1/rpc/moderation_queue"
      let owner = AuthRoutesTests.bearer(backend.server.address.ownerToken)
      let ann = AuthRoutesTests.bearer(try await AuthRoutesTests.signUp(backend, "ann@example.org").accessToken)
      #expect(try await backend.send("GET", queue, headers: owner).text == "[]")
      #expect(try await backend.send("GET", queue, headers: ann).status == 403)
    }
  }

  private static func moderate(_ account: String, _ backend: TestBackend) async throws -> HTTPReply {
    try await backend.send(
      "POST", "/rest/v1/rpc/moderate", headers: AuthRoutesTests.bearer(backend.server.address.ownerToken),
      body: Array(#"{"action":"warn","target_type":"user_profile","target_id":"\#(account)","reason":"x"}"#.utf8))
  }

  private static func open(
    _ draft: HighlightDraft, as session: AuthRoutesTests.Session, _ backend: TestBackend
  ) async throws -> UploadTicket {
    let headers = AuthRoutesTests.bearer(session.accessToken).merging(["Idempotency-Key": UUID().uuidString]) { $1 }
    return try await backend.send("POST", "/uploads", headers: headers, body: Array(JSONEncoder().encode(draft))).json()
  }

  /// The account has opened the upload before.
  @Test func aRestrictedAccountPublishesNothing() async throws {
    try await TestBackend.run { backend in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let ticket = try await Self.open(.sample(), as: ann, backend)
      // The first offense is a warning.
      for _ in 0..<2 { #expect(try await Self.moderate(ann.user.id, backend).status == 200) }
      #expect(try await backend.put(ticket, nil, pattern(100)).status == 200)
      let bearer = AuthRoutesTests.bearer(ann.accessToken)
      func status() async throws -> UploadState.Status {
        let state: UploadState = try await backend.send("GET", "/uploads/\(ticket.id)", headers: bearer).json()
        return state.status
      }
      try await TestTimeout.wait { ![.assetCreated, .waiting].contains(try await status()) }
      #expect(try await status() == .errored)
      #expect(try await backend.send("GET", "/rest/v1/highlights", headers: bearer).text == "[]")
    }
  }

  /// Moderators watch what others have reported.
  @Test func theOwnReportOpensNoVideo() async throws {
    try await TestBackend.run { backend in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      var draft = HighlightDraft.sample()
      draft.privacy = .onlyMe
      let ticket = try await Self.open(draft, as: ann, backend)
      #expect(try await backend.put(ticket, nil, pattern(100)).status == 200)
      let highlight = draft.highlightID.uuidString.lowercased()
      func playback(_ token: String) async throws -> String {
        try await backend.send(
          "POST", "/functions/v1/playback", headers: AuthRoutesTests.bearer(token),
          body: Array(#"{"highlight_ids":["\#(highlight)"]}"#.utf8)
        ).text
      }
      try await TestTimeout.wait { try await playback(ann.accessToken).contains("token=") }
      let owner = backend.server.address.ownerToken
      for (reporter, token, opens) in [
        (Caller.localUserID, owner, false), (ann.user.id, ann.accessToken, true),
      ] {
        let report = """
          {"reporter_id":"\(reporter)","reported_type":"highlight","reported_id":"\(highlight)",\
          "reported_user_id":"\(ann.user.id)","report_type":"spam"}
          """
        let reply = try await backend.send(
          "POST", "/rest/v1/content_reports", headers: AuthRoutesTests.bearer(token), body: Array(report.utf8))
        #expect(reply.status == 201, "\(reply.text)")
        #expect(try await playback(owner).contains("token=") == opens)
      }
    }
  }
}
