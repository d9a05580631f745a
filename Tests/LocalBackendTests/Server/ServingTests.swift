import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct ServingTests {
  @Test func byteRangesAreServed() async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(300_000)
      let highlight = try await backend.publish(bytes)
      let path = "/stream/\(highlight.playback).mp4"
      let whole = try await backend.send("GET", path)
      #expect(whole.status == 200 && whole.body == bytes)
      #expect(whole.headers["content-type"] == "video/mp4")
      #expect(whole.headers["accept-ranges"] == "bytes")
      let tag = try #require(whole.headers["etag"])

      func get(_ headers: [String: String]) async throws -> HTTPReply {
        try await backend.send("GET", path, headers: headers)
      }
      let part = try await get(["Range": "bytes=1000-200999"])
      #expect(part.status == 206 && part.body == Array(bytes[1000..<201_000]))
      #expect(part.headers["content-range"] == "bytes 1000-200999/300000")
      #expect(part.headers["content-length"] == "200000")
      #expect(try await get(["Range": "bytes=-5"]).body == Array(bytes.suffix(5)))
      #expect(try await get(["Range": "bytes=299999-"]).body == Array(bytes.suffix(1)))
      let beyond = try await get(["Range": "bytes=300000-"])
      #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */300000")
      #expect(try await get(["Range": "bytes=0-4", "If-Range": tag]).status == 206)
      #expect(try await get(["Range": "bytes=0-4", "If-Range": "\"other\""]).status == 200)
      #expect(try await get(["If-None-Match": tag]).status == 304)

      let head = try await backend.send("HEAD", path)
      #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "300000")
    }
  }

  @Test func onlyPublishedFilesAreServed() async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(100))
      let thumbnail = try await backend.send("GET", try #require(highlight.thumbnailURL))
      #expect(thumbnail.text == "jpeg" && thumbnail.headers["content-type"] == "image/jpeg")
      for path in [
        "/stream/unknown.mp4", "/stream/\(highlight.playback)", "/stream/..%2f..%2fbackend.sqlite.mp4",
        "/image/../backend.sqlite/thumbnail.jpg", "/assets/\(highlight.muxAssetID ?? "")/clip.mp4", "/backend.sqlite",
      ] {
        #expect(try await backend.send("GET", path).status == 404, "\(path)")
      }
    }
  }

  @Test func rowsHavePostgRESTsFormat() async throws {
    try await TestBackend.run { backend in
      #expect(try await backend.send("GET", "/rest/v1/highlights").text == "[]")
      let drafts = [HighlightDraft.sample(), .sample(), .sample(caption: nil)]
      for draft in drafts { _ = try await backend.publish(pattern(100), draft) }
      let ids = drafts.map(\.highlightID)
      #expect(try await backend.highlights().map(\.id) == ids.reversed())

      let page = try await backend.send(
        "GET", "/rest/v1/highlights?select=*&order=created_at.desc&limit=1&offset=1")
      #expect(try page.json([Highlight].self).map(\.id) == [ids[1]])
      #expect(page.headers["content-range"] == "1-1/*")

      let one = try await backend.send("GET", "/rest/v1/highlights?id=eq.\(ids[2].uuidString)")
      let row = try #require(try one.json([Highlight].self).first)
      #expect(row.caption == nil && row.tags == ["spike"] && row.duration == 12 && row.privacy == .everyone)
      #expect(row.localVideoID == drafts[2].localVideoID && row.localRallyIndex == 2)
      #expect(row.authorID == Caller.localUserID)
      #expect(one.text.contains(#""caption":null"#))
      #expect(
        one.text.contains(#""rally_metadata":{"duration":12,"confidence":0.9,"quality":0.8,"detection_count":64}"#))

      let object = ["Accept": "application/vnd.pgrst.object+json"]
      let single = try await backend.send("GET", "/rest/v1/highlights?id=eq.\(ids[0])", headers: object)
      #expect(try single.json(Highlight.self).id == ids[0])
      let several = try await backend.send("GET", "/rest/v1/highlights", headers: object)
      #expect(several.status == 406 && several.text.contains("PGRST116"))

      let refused = try await backend.send("GET", "/rest/v1/highlights?caption=fts.x")
      #expect(refused.status == 400 && refused.text.contains(#""code":"PGRST100""#))
      #expect(refused.text.contains(#""hint":null"#))
    }
  }

  @Test func deletingARowRemovesItsFiles() async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(100))
      #expect(try await backend.send("DELETE", "/rest/v1/highlights", body: []).status == 400)
      let path = "/rest/v1/highlights?id=eq.\(highlight.id)"
      #expect(try await backend.send("DELETE", path, body: []).status == 204)
      #expect(try await backend.send("DELETE", path, body: []).status == 204)
      #expect(try await backend.highlights().isEmpty)
      #expect(try await backend.send("GET", "/stream/\(highlight.playback).mp4").status == 404)
      // The files are removed after the response.
      let assets = backend.folder + "/assets"
      #expect(try await TestTimeout.wait { try FileManager.default.contentsOfDirectory(atPath: assets).isEmpty })
    }
  }

  @Test func theEmptyPageNamesTheCommand() async throws {
    let page = try await TestBackend.run { try await $0.send("GET", "/") }
    #expect(page.text.contains("bsc share"))
  }

  @Test func onlyLoopbackNamesAreAccepted() async throws {
    try await TestBackend.run { backend in
      for (host, status) in [
        ("evil.example", 421), ("evil.example:7437", 421), ("127.0.0.1.evil.example", 421), ("", 421),
        ("localhost", 200), ("LOCALHOST:1", 200), ("[::1]:80", 200), ("127.0.0.1", 200),
      ] {
        let reply = try await backend.send("GET", "/health", headers: ["Host": host])
        #expect(reply.status == status || (host.isEmpty && reply.status == 400), "\(host)")
        if status == 200 { #expect(reply.text == #"{"name":"bsc local backend","version":"1"}"#, "\(host)") }
      }
    }
  }

  @Test func writesFromOtherOriginsAreRejected() async throws {
    try await TestBackend.run { backend in
      let ticket = try await backend.ticket()
      for origin in ["http://evil.example", "null", "https://127.0.0.1:\(backend.server.port)", "http://127.0.0.1:1"] {
        for (method, target) in [
          ("POST", "/uploads"), ("POST", "/uploads/\(ticket.id)/cancel"), ("PUT", ticket.url),
          ("DELETE", "/rest/v1/highlights?id=eq.\(UUID())"),
        ] {
          let reply = try await backend.send(method, target, headers: ["Origin": origin], body: [])
          #expect(reply.status == 403, "\(method) \(target)")
          #expect(reply.headers["access-control-allow-origin"] == nil)
        }
      }
      let own = ["Origin": "http://127.0.0.1:\(backend.server.port)"]
      #expect(try await backend.send("POST", "/uploads/\(ticket.id)/cancel", headers: own, body: []).status == 200)
    }
  }

  @Test func hugeHeadersAreRejected() async throws {
    try await TestBackend.run { backend in
      let reply = try await backend.send("GET", "/health", headers: ["X-Big": String(repeating: "a", count: 60_000)])
      #expect(reply.status == 400 || reply.status == 431)
    }
  }
}
