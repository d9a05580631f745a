import ClipModel
import Foundation
import GRDB
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct SocialMigrationTests {
  /// All data of a version with a single user is kept and belongs to that user.
  @Test func migratesTheFirstVersion() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let id = UUID().uuidString.lowercased()
    let old = try DatabasePool(path: folder + "/backend.sqlite")
    try ServerModule.all.migrator.migrate(old, upTo: "2 bare objects")
    try await old.write { db in
      try db.execute(
        sql: """
          INSERT INTO highlights (
            id, author_id, mux_playback_id, mux_asset_id, thumbnail_url, caption, tags, duration, confidence,
            likes_count, privacy_level, hide_likes, rally_metadata, created_at)
          VALUES (?, ?, 'play', 'asset', '/image/play/thumbnail.jpg', 'Ace', '["ace"]', 12.5, 0.9, 0, 'public', 1,
            '{"duration":12.5}', '2026-01-02T03:04:05.000000+00:00')
          """, arguments: [id, Caller.localUserID])
    }
    try old.close()
    try await TestBackend.run(in: folder) { backend in
      let text = try await backend.send(
        "GET", "/rest/v1/highlights?select=*,author:profiles(highlights_count)&id=eq.\(id)"
      ).text
      #expect(
        text.contains(#""tags":["ace"]"#) && text.contains(#""duration":12.5"#) && text.contains(#""hide_likes":true"#))
      #expect(text.contains(#""author":{"highlights_count":1}"#))
      // The app can't decode a row without all four members.
      #expect(text.contains(#""detection_count":0"#) && text.contains(#""quality":0"#))
      #expect(try await backend.highlights().first?.caption == "Ace")
    }
  }
}
