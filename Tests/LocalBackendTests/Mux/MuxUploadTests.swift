import ClipModel
import Foundation
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct MuxUploadTests {
  @Test func aMuxUploadBecomesAnAssetButNoHighlight() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let bytes = pattern(50_000)
      let settings = #""passthrough":"a ☃","video_quality":"plus","meta":{"title":"t"},"normalize_audio":true"#
      let upload = try await mux.upload(settings)
      #expect(upload.status == 201)
      #expect(upload.text("status") == "waiting" && upload.number("timeout") == 3600)
      #expect(upload.text("cors_origin") == "*" && upload.fields["test"] as? Bool == false)
      #expect(upload.fields["asset_id"] == nil && upload.fields["error"] == nil)
      let url = try #require(upload.text("url"))
      #expect(url.hasPrefix("http://127.0.0.1:\(backend.server.port)/upload/") && url.contains("?token="))
      let returned = upload.object("new_asset_settings")
      #expect(returned.text("passthrough") == "a ☃" && returned.object("meta").text("title") == "t")
      #expect(
        returned.fields["playback_policies"] as? [String] == ["public"] && returned.fields["playback_policy"] == nil)

      #expect(try await mux.put(upload, bytes).status == 200)
      let id = try #require(upload.text("id"))
      let asset = try await mux.settledAsset(id)
      #expect(asset.text("status") == "ready" && asset.text("upload_id") == id)
      #expect(asset.text("passthrough") == "a ☃" && asset.text("video_quality") == "plus")
      #expect(asset.text("encoding_tier") == "smart" && asset.fields["normalize_audio"] as? Bool == true)
      #expect(asset.number("duration") == 12 && asset.text("aspect_ratio") == "16:9")
      #expect(asset.text("resolution_tier") == "1080p" && asset.number("max_stored_frame_rate") == 30)
      #expect(
        asset.object("progress").text("state") == "completed" && asset.object("progress").number("progress") == 100)
      #expect(asset.text("created_at").flatMap { Int($0) } != nil)
      #expect(asset.text("master_access") == "none" && asset.text("max_resolution_tier") == "1080p")
      let video = try #require(asset.list("tracks").first)
      #expect(video.text("type") == "video" && video.number("max_width") == 1920)

      let done = try await mux.get("uploads/\(id)")
      #expect(done.text("status") == "asset_created" && done.text("asset_id") == asset.text("id"))
      #expect(done.fields["url"] == nil)
      #expect(try await backend.highlights().isEmpty)
      #expect(try await backend.send("GET", "/stream/\(asset.playbackID).mp4").body == bytes)
    }
  }

  @Test func anUploadWithADraftAlsoBecomesAnAsset() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let highlight = try await backend.publish(pattern(100))
      let list = try Object(await mux.send("GET", "assets"))
      let asset = try #require(list.list("data").first)
      #expect(asset.text("id") == highlight.muxAssetID && asset.playbackID == highlight.muxPlaybackID)
      #expect(asset.text("passthrough") == asset.text("upload_id"))
      let upload = try await mux.get("uploads/\(asset.text("upload_id") ?? "")")
      #expect(upload.text("status") == "asset_created" && upload.number("timeout") == 3600)
    }
  }

  @Test(arguments: [
    (#"{"timeout":59}"#, "timeout"), (#"{"timeout":604801}"#, "timeout"), (#"{"timeout":"3600"}"#, "timeout"),
    (#"{"timeout":1e400}"#, "body"), (#"{"test":1}"#, "test"), ("[]", "body"), ("{", "body"),
    ("nonsense", "body"),
    (#"{"new_asset_settings":{"playback_policies":["signed"]}}"#, "public"),
    (#"{"new_asset_settings":{"playback_policies":["open"]}}"#, "playback policies"),
    (#"{"new_asset_settings":{"playback_policies":["public"],"playback_policy":["public"]}}"#, "playback_policy"),
    (#"{"new_asset_settings":{"video_quality":"best"}}"#, "video_quality"),
    (#"{"new_asset_settings":{"max_resolution_tier":"720p"}}"#, "max_resolution_tier"),
    (#"{"new_asset_settings":{"static_renditions":[{"resolution":"8k"}]}}"#, "static_renditions"),
    (#"{"new_asset_settings":{"inputs":[{"url":"https://example.com/a.mp4"}]}}"#, "inputs"),
    (#"{"new_asset_settings":{"passthrough":"a\u0000b"}}"#, "U+0000"),
    (#"{"new_asset_settings":{"meta":{"title":7}}}"#, "title"),
  ])
  func invalidRequestsAreRejected(_ body: String, _ word: String) async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let reply = try await mux.send("POST", "uploads", body)
      #expect(reply.status == 400, "\(reply.text)")
      let error = try Object(reply).object("error")
      #expect(error.text("type") == "invalid_parameters")
      #expect((error.fields["messages"] as? [String] ?? []).contains { $0.contains(word) }, "\(reply.text)")
      #expect(try Object(await mux.send("GET", "uploads")).list("data").isEmpty)
    }
  }

  @Test func lengthsAreCountedInCodePoints() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let fits = String(repeating: "é", count: 255)
      #expect(
        try await mux.upload(#""passthrough":"\#(fits)""#).object("new_asset_settings").text("passthrough") == fits)
      #expect(try await mux.upload(#""passthrough":"\#(fits)x""#).status == 400)
      #expect(try await mux.upload(#""meta":{"creator_id":"\#(fits)"}"#).status == 400)
      let large = try await mux.send("POST", "uploads", #"{"cors_origin":"\#(String(repeating: "a", count: 70_000))"}"#)
      #expect(large.status == 413)
    }
  }

  @Test func anEmptyBodyUsesTheDefaults() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let upload = try Object(await mux.send("POST", "uploads"))
      #expect(upload.status == 201 && upload.number("timeout") == 3600)
      _ = try await mux.put(upload, pattern(10))
      // The request had no playback policy.
      let asset = try await mux.settledAsset(upload.text("id") ?? "")
      #expect(asset.text("status") == "ready" && asset.fields["playback_ids"] == nil)
    }
  }

  @Test func aWaitingUploadCanBeCancelled() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      let upload = try await mux.upload()
      let id = upload.text("id") ?? ""
      let cancelled = try Object(await mux.send("PUT", "uploads/\(id)/cancel"))
      #expect(cancelled.status == 200 && cancelled.text("status") == "cancelled" && cancelled.fields["url"] == nil)
      #expect(try await mux.put(upload, pattern(10)).status == 499)
      #expect(try await mux.send("PUT", "uploads/\(id)/cancel").status == 400)
      #expect(try await mux.get("uploads/\(id)").text("status") == "cancelled")
      let done = try await mux.asset(pattern(10))
      #expect(try await mux.send("PUT", "uploads/\(done.text("upload_id") ?? "")/cancel").status == 400)
      #expect(try await mux.send("PUT", "uploads/none/cancel").status == 404)
    }
  }

  @Test func muxUploadsTimeOut() async throws {
    let clock = WallClock()
    try await TestBackend.run(options: .init(now: { clock.now })) { backend in
      let mux = try await MuxClient(backend)
      let upload = try Object(await mux.send("POST", "uploads", #"{"timeout":60}"#))
      clock.advance(60)
      #expect(try await mux.get("uploads/\(upload.text("id") ?? "")").text("status") == "timed_out")
      #expect(try await mux.put(upload, pattern(10)).status == 410)
    }
  }

  @Test func aFileThatIsNotAVideoErrorsTheAsset() async throws {
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in
      AssetProperties(durationSeconds: 3, width: 0, height: 0, frameRate: nil, hasVideo: false, videoTrackCount: 0)
    }
    try await TestBackend.run(maker: maker) { backend in
      let mux = try await MuxClient(backend)
      let upload = try await mux.upload()
      #expect(try await mux.put(upload, pattern(10)).status == 200)
      let asset = try await mux.settledAsset(upload.text("id") ?? "")
      #expect(asset.text("status") == "errored" && asset.object("errors").text("type") == "invalid_input")
      #expect((asset.object("errors").fields["messages"] as? [String])?.count == 1)
      #expect(asset.object("progress").text("state") == "errored" && asset.fields["duration"] == nil)
      // As in Mux, the upload itself has succeeded.
      #expect(try await mux.get("uploads/\(upload.text("id") ?? "")").text("status") == "asset_created")
      #expect(try await backend.send("GET", "/stream/\(asset.playbackID).mp4").status == 404)
    }
  }

  @Test func missingBytesErrorTheUpload() async throws {
    let gate = Gate()
    try await TestBackend.run(maker: TestBackend.maker(waitingFor: gate)) { backend in
      let mux = try await MuxClient(backend)
      _ = try await mux.put(mux.upload(), pattern(10))
      // Waits until the first one is finished.
      let upload = try await mux.upload()
      #expect(try await mux.put(upload, pattern(10)).status == 200)
      let id = upload.text("id") ?? ""
      #expect(try await mux.get("uploads/\(id)").text("status") == "asset_created")
      try FileManager.default.removeItem(atPath: backend.folder + "/uploads/\(id).part")
      await gate.open()
      #expect(try await backend.settled(id).status == .errored)
      let errored = try await mux.get("uploads/\(id)")
      #expect(errored.text("status") == "errored" && errored.fields["asset_id"] == nil)
      #expect(errored.object("error").text("type") == "invalid_input" && errored.object("error").text("message") != nil)
      #expect(try Object(await mux.send("GET", "assets?upload_id=\(id)")).list("data").isEmpty)
    }
  }

  @Test func uploadsAreListedInPages() async throws {
    try await TestBackend.run { backend in
      let mux = try await MuxClient(backend)
      var ids: [String] = []
      for _ in 0..<5 { ids.append(try await mux.upload().text("id") ?? "") }
      func page(_ query: String) async throws -> [String] {
        try Object(await mux.send("GET", "uploads?" + query)).list("data").compactMap { $0.text("id") }
      }
      #expect(try await page("") == ids.reversed())
      #expect(try await page("limit=2") == [ids[4], ids[3]])
      #expect(try await page("limit=2&page=3") == [ids[0]])
      #expect(try await page("limit=2&page=4").isEmpty)
      for query in ["limit=0", "limit=101", "limit=x", "limit=-1", "page=0", "page=99999999999999999999"] {
        #expect(try await mux.send("GET", "uploads?" + query).status == 400, "\(query)")
      }
    }
  }
}
