import ClipModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct MuxAssetTests {
  @Test func assetsCanBeListedByCursorAndUpload() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      var assets: [Object] = []
      for _ in 0..<5 { assets.append(try await mux.asset(pattern(10))) }
      let newestFirst = assets.compactMap { $0.text("id") }.reversed()
      var seen: [String] = []
      var query = "limit=2"
      for _ in 0..<4 {
        let page = try Object(await mux.send("GET", "assets?" + query))
        seen += page.list("data").compactMap { $0.text("id") }
        guard let cursor = page.text("next_cursor") else {
          #expect(page.fields["next_cursor"] is NSNull)
          break
        }
        query = "limit=2&cursor=\(cursor)"
      }
      #expect(seen == Array(newestFirst))
      let upload = assets[2].text("upload_id") ?? ""
      let one = try Object(await mux.send("GET", "assets?upload_id=\(upload)")).list("data")
      #expect(one.map { $0.text("id") } == [assets[2].text("id")])
      for query in ["upload_id=none", "upload_id=%27%20OR%201%3D1", "live_stream_id=x", "cursor=0"] {
        #expect(try Object(await mux.send("GET", "assets?" + query)).list("data").isEmpty, "\(query)")
      }
      #expect(try await mux.send("GET", "assets?cursor=../x").status == 400)
    }
  }

  @Test func deletingAnAssetRemovesItsFiles() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let asset = try await mux.asset(pattern(10))
      let id = asset.text("id") ?? ""
      let reply = try await mux.send("DELETE", "assets/\(id)")
      #expect(reply.status == 204 && reply.body.isEmpty)
      #expect(try await mux.send("GET", "assets/\(id)").status == 404)
      #expect(try await mux.send("DELETE", "assets/\(id)").status == 404)
      #expect(try await mux.send("GET", "playback-ids/\(asset.playbackID)").status == 404)
      #expect(try await backend.send("GET", "/stream/\(asset.playbackID).mp4").status == 404)
      #expect(try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/assets").isEmpty)
    }
  }

  /// The trigger deletes the asset, and `AssetRemover` removes the files.
  @Test func deletingAHighlightDeletesItsAsset() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let highlight = try await backend.publish(pattern(10))
      let id = highlight.muxAssetID ?? ""
      #expect(try await mux.get("assets/\(id)").status == 200)
      let store = try ServerStore(path: backend.folder + "/backend.sqlite")
      try await store.database.write { db in try db.execute(sql: "DELETE FROM highlights") }
      try store.database.close()
      #expect(try await mux.send("GET", "assets/\(id)").status == 404)
      // Another connection deleted the row, so the server notices only at its own next deletion.
      let other = try await mux.asset(pattern(10)).text("id") ?? ""
      #expect(try await mux.send("DELETE", "assets/\(other)").status == 204)
      let folder = backend.folder + "/assets/" + id
      #expect(try await TestTimeout.wait { !FileManager.default.fileExists(atPath: folder) })
    }
  }

  @Test func theNextStartRemovesFilesOfDeletedAssets() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let highlight = try await TestBackend.run(in: folder) { try await $0.publish(pattern(10)) }
    let store = try ServerStore(path: folder + "/backend.sqlite")
    try await store.database.write { db in try db.execute(sql: "DELETE FROM highlights") }
    try store.database.close()
    #expect(FileManager.default.fileExists(atPath: folder + "/assets/" + (highlight.muxAssetID ?? "")))
    try await TestBackend.run(in: folder) { _ in }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/assets").isEmpty)
    let after = try ServerStore(path: folder + "/backend.sqlite")
    #expect(try await after.removedAssets().isEmpty)
    try after.database.close()
  }

  @Test func anAssetDeletedBeforeItIsReadyStaysDeleted() async throws {
    let gate = Gate()
    try await TestBackend.run(maker: TestBackend.maker(waitingFor: gate)) { backend in
      let mux = try await MuxClient(backend)
      let ticket = try await backend.ticket()
      #expect(try await backend.put(ticket, nil, pattern(10)).status == 200)
      let asset = try #require(try Object(await mux.send("GET", "assets")).list("data").first)
      #expect(asset.text("status") == "preparing" && asset.object("progress").text("state") == "ingesting")
      #expect(try await backend.send("GET", "/stream/\(asset.playbackID).mp4").status == 404)
      let path = "assets/\(asset.text("id") ?? "")"
      #expect(try await mux.send("DELETE", path).status == 204)
      await gate.open()
      let state = try await backend.settled(ticket.id)
      #expect(state.status == .errored && state.error != nil)
      #expect(try await mux.send("GET", path).status == 404)
      #expect(try await backend.highlights().isEmpty)
    }
  }

  @Test func passthroughAndMetaCanBePatched() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let path =
        "assets/\(try await mux.asset(pattern(10), #""passthrough":"a","meta":{"title":"t"}"#).text("id") ?? "")"
      let patched = try Object(await mux.send("PATCH", path, #"{"passthrough":"b"}"#))
      #expect(patched.status == 200 && patched.text("passthrough") == "b")
      #expect(patched.object("meta").text("title") == "t")
      let second = try Object(await mux.send("PATCH", path, #"{"passthrough":null,"meta":{"external_id":"e"}}"#))
      #expect(second.fields["passthrough"] == nil && second.object("meta").text("external_id") == "e")
      #expect(try await mux.get(path).object("meta").text("external_id") == "e")
      for body in [#"{"status":"errored"}"#, #"{"passthrough":7}"#, "[]", #"{"meta":"x"}"#] {
        #expect(try await mux.send("PATCH", path, body).status == 400, "\(body)")
      }
      #expect(try await mux.send("PATCH", "assets/none", "{}").status == 404)
    }
  }

  @Test func playbackIDsCanBeAddedAndDeleted() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let bytes = pattern(1000)
      let asset = try await mux.asset(bytes)
      let path = "assets/\(asset.text("id") ?? "")/playback-ids"
      let added = try Object(await mux.send("POST", path, #"{"policy":"public"}"#))
      let id = added.text("id") ?? ""
      #expect(added.status == 201 && added.text("policy") == "public" && id != asset.playbackID)
      #expect(try await backend.send("GET", "/stream/\(id).mp4").body == bytes)
      let owner = try await mux.get("playback-ids/\(id)").object("object")
      #expect(owner.text("type") == "asset" && owner.text("id") == asset.text("id"))
      #expect(try await mux.get("\(path)/\(id)").text("id") == id)
      #expect(try await mux.get("assets/\(asset.text("id") ?? "")").list("playback_ids").count == 2)
      let other = try await mux.asset(pattern(10)).text("id") ?? ""
      #expect(try await mux.send("DELETE", "assets/\(other)/playback-ids/\(id)").status == 404)
      #expect(try await mux.send("DELETE", "\(path)/\(id)").status == 204)
      #expect(try await mux.send("GET", "\(path)/\(id)").status == 404)
      #expect(try await backend.send("GET", "/stream/\(id).mp4").status == 404)
      #expect(try await backend.send("GET", "/stream/\(asset.playbackID).mp4").status == 200)
      #expect(try await mux.send("POST", path, #"{"policy":"signed"}"#).status == 400)
      #expect(try await mux.send("POST", "assets/none/playback-ids", "{}").status == 404)
    }
  }

  @Test func unsupportedRequestsAreRejected() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      #expect(try await mux.send("POST", "assets", #"{"inputs":[{"url":"https://example.com/a.mp4"}]}"#).status == 400)
      for path in ["live-streams", "assets/none", "uploads/none", "uploads/..%2f..%2fkeys.json", "assets/%00"] {
        let reply = try await mux.send("GET", path)
        #expect(reply.status == 404, "\(path)")
        #expect(try Object(reply).object("error").text("type") == "not_found", "\(path)")
      }
    }
  }

  @Test func nonStandardInputIsReported() async throws {
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in
      var facts = TestBackend.goodFacts
      facts.nonStandardReasons = ["video_bitrate": "high"]
      facts.sound = .init(channelCount: 2, channelLayout: "stereo", durationSeconds: 11)
      facts.byteCount = 10
      return facts
    }
    try await TestBackend.run(maker: maker) { backend in
      let mux = try await MuxClient(backend)
      let asset = try await mux.asset(
        pattern(10), #""static_renditions":[{"resolution":"highest"},{"resolution":"720p"}]"#)
      #expect(asset.fields["non_standard_input_reasons"] as? [String: String] == ["video_bitrate": "high"])
      let audio = try #require(asset.list("tracks").last)
      #expect(audio.text("type") == "audio" && audio.number("max_channels") == 2)
      let files = asset.object("static_renditions").list("files")
      #expect(files.map { $0.text("status") } == ["ready", "skipped"])
      #expect(files[0].text("name") == "highest.mp4" && files[0].text("filesize") == "10")
      // Large input has separate limits.
      let large = try await mux.asset(pattern(10), #""max_resolution_tier":"2160p""#)
      #expect(large.fields["non_standard_input_reasons"] == nil)
    }
  }

  /// A database of the version before assets had a table.
  @Test func oldDatabasesAreMigrated() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let highlight = try await TestBackend.run(in: folder) { try await $0.publish(pattern(100)) }
    let store = try ServerStore(path: folder + "/backend.sqlite")
    try await store.database.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          DROP TRIGGER highlights_take_their_post; DROP TRIGGER uploads_take_their_asset; DROP TABLE post_assets;
          DROP TRIGGER highlights_take_their_asset; DROP TRIGGER assets_leave_their_files;
          DROP TABLE playback_ids; DROP TABLE assets; DROP TABLE removed_assets; DROP TABLE webhook_endpoints;
          DROP TABLE webhook_deliveries; DROP VIEW draft_uploads; ALTER TABLE uploads DROP COLUMN mux_request;
          ALTER TABLE uploads DROP COLUMN part; ALTER TABLE uploads DROP COLUMN part_count;
          DELETE FROM grdb_migrations WHERE identifier IN ('4 mux assets', '5 posts of several clips');
          """)
    }
    try store.database.close()
    try await TestBackend.run(in: folder) { backend in
      #expect(try await backend.send("GET", "/stream/\(highlight.playback).mp4").body == pattern(100))
      let asset = try await MuxClient(backend).get("assets/\(highlight.muxAssetID ?? "")")
      #expect(asset.text("status") == "ready" && asset.playbackID == highlight.muxPlaybackID)
      #expect(asset.fields["duration"] == nil)
    }
  }
}
