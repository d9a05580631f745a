import ClipModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// Highlights inserted by clients. `Tests/Conformance/045-waiting-highlights.json` tests the rules; these tests cover what
/// only this backend has: its own stream URLs, assets of Mux's API, and older databases.
@Suite(.timeLimit(.minutes(10))) struct HighlightReadinessTests {
  private func insert(
    _ backend: TestBackend, _ session: AuthRoutesTests.Session, _ playback: String
  ) async throws -> String {
    let reply = try await backend.send(
      "POST", "/rest/v1/highlights?select=is_ready",
      headers: AuthRoutesTests.bearer(session.accessToken).merging(
        ["Prefer": "return=representation", "Content-Type": "application/json"]) { $1 },
      body: Array(#"{"author_id":"\#(session.user.id)","mux_playback_id":"\#(playback)","duration":9}"#.utf8))
    #expect(reply.status == 201, "\(reply.text)")
    return reply.text
  }

  @Test func recognizesItsOwnStreamURLs() async throws {
    try await TestBackend.run { backend in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let asset = try await MuxClient(backend).asset(pattern(100))
      let id = try #require(asset.list("playback_ids").first?.text("id"))
      // Assets of Mux's API have no owner.
      for known in [id, "http://127.0.0.1:4545/stream/\(id).m3u8", "http://localhost/stream/\(id).mp4"] {
        #expect(try await insert(backend, ann, known) == #"[{"is_ready":true}]"#, "\(known)")
      }
      for unknown in [
        "http://evil.example/stream/\(id).m3u8", "http://127.0.0.1:1@evil.example/stream/\(id).m3u8", "other",
      ] {
        #expect(try await insert(backend, ann, unknown) == #"[{"is_ready":false}]"#, "\(unknown)")
      }
    }
  }

  @Test func readyAssetShowsWaitingHighlights() async throws {
    let gate = Gate()
    try await TestBackend.run(maker: TestBackend.maker(waitingFor: gate)) { backend in
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      let mux = try await MuxClient(backend)
      let upload = try await mux.upload()
      #expect(try await mux.put(upload, pattern(100)).status == 200)
      let asset = try await mux.get("uploads/\(upload.text("id") ?? "")").text("asset_id") ?? ""
      let id = try #require(try await mux.get("assets/\(asset)").list("playback_ids").first?.text("id"))
      #expect(try await insert(backend, ann, id) == #"[{"is_ready":false}]"#)
      let path = "/rest/v1/highlights?select=id&author_id=eq.\(ann.user.id)"
      let key = ["apikey": try await ServerKeys.open(backend.folder + "/keys.json").publishableKey]
      #expect(try await backend.send("GET", path, headers: key).text == "[]")
      await gate.open()
      #expect(try await TestTimeout.wait { try await backend.send("GET", path, headers: key).text != "[]" })
    }
  }

  @Test func existingRowsAreReadyAfterTheMigration() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE auth_users (id TEXT, email TEXT);
          CREATE TABLE highlights (id TEXT, author_id TEXT);
          INSERT INTO highlights VALUES ('h', 'a');
          CREATE TABLE content_reports (id TEXT, created_at TEXT, reviewed_at TEXT);
          INSERT INTO content_reports VALUES ('new', '2026-01-01', NULL), ('judged', '2026-01-01', '2026-02-02');
          """)
      try ClientRowsMigration.run(db)
      #expect(try Bool.fetchOne(db, sql: "SELECT is_ready FROM highlights") == true)
      let times = try String.fetchAll(db, sql: "SELECT updated_at FROM content_reports ORDER BY id")
      #expect(times == ["2026-02-02", "2026-01-01"])
      try db.execute(sql: "UPDATE content_reports SET reviewed_at = '2026-03-03' WHERE id = 'new'")
      let changed = try String.fetchOne(db, sql: "SELECT updated_at FROM content_reports WHERE id = 'new'")
      #expect(changed?.hasSuffix("+00:00") == true)
    }
  }
}
