import ClipModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct RenditionCacheTests {
  /// The server draws it without a request.
  private static let thumbnail = ImageQuery.still(PictureFraming(atSeconds: 2))

  /// A maker that counts the other pictures it draws.
  private static func maker(_ drawn: Counter, gate: Gate? = nil) -> AssetMaker {
    var maker = TestBackend.quickMaker
    maker.drawPicture = { query, _, path in
      if query != thumbnail {
        drawn.add()
        await gate?.wait()
      }
      try Data(query.itemName.utf8).write(to: URL(filePath: path))
    }
    return maker
  }

  final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  private func made(_ backend: TestBackend, _ asset: Object) throws -> [String] {
    let folder = backend.folder + "/assets/\(asset.text("id") ?? "")/made"
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      !$0.hasSuffix(Self.thumbnail.itemName)
    }
  }

  @Test func simultaneousRequestsDrawOnce() async throws {
    let (drawn, gate) = (Counter(), Gate())
    try await TestBackend.run(maker: Self.maker(drawn, gate: gate)) { backend in
      let asset = try await MuxClient(backend).asset(pattern(10))
      let path = "/image/\(asset.playbackID)/thumbnail.webp?time=1"
      let replies = try await withThrowingTaskGroup(of: HTTPReply.self) { group in
        for _ in 0..<8 { group.addTask { try await backend.send("GET", path) } }
        try await TestTimeout.wait { drawn.count > 0 }
        await gate.open()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(replies.allSatisfy { $0.status == 200 && $0.headers["content-type"] == "image/webp" })
      #expect(Set(replies.map(\.text)).count == 1)
      let tag = try #require(replies[0].headers["etag"])
      #expect(try await backend.send("GET", path, headers: ["If-None-Match": tag]).status == 304)
      #expect(drawn.count == 1)
      #expect(try made(backend, asset).count == 1)
    }
  }

  @Test func theNumberOfPicturesIsLimited() async throws {
    let drawn = Counter()
    try await TestBackend.run(maker: Self.maker(drawn)) { backend in
      let asset = try await MuxClient(backend).asset(pattern(10))
      for width in 1...13 {
        #expect(try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png?width=\(width)").status == 200)
      }
      for fps in 1...3 {
        #expect(try await backend.send("GET", "/image/\(asset.playbackID)/animated.gif?fps=\(fps)").status == 200)
      }
      let names = try made(backend, asset)
      // One of them can be the thumbnail.
      #expect((9...10).contains(names.count { $0.hasPrefix("still-") }))
      #expect(names.filter { $0.hasPrefix("moving-") }.count == 3)
      // The latest pictures are kept; the first one is drawn again.
      #expect(drawn.count == 16)
      _ = try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png?width=13")
      #expect(drawn.count == 16)
      _ = try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png?width=1")
      #expect(drawn.count == 17)
    }
  }

  @Test func aFailureLeavesNoFiles() async throws {
    let drawn = Counter()
    let repaired = Counter()
    var maker = Self.maker(drawn)
    maker.drawPicture = { [draw = maker.drawPicture] query, clip, path in
      try Data("half".utf8).write(to: URL(filePath: path))
      if repaired.count == 0 { throw AssetError.rejected("no such frame") }
      try await draw(query, clip, path)
    }
    maker.makeStream = { _, folder in
      try Data("#EXTM3U\n".utf8).write(to: URL(filePath: folder + "/master.m3u8"))
      throw AssetError.rejected("no codec available")
    }
    try await TestBackend.run(maker: maker) { backend in
      let asset = try await MuxClient(backend).asset(pattern(10))
      for (path, reason) in [
        ("/image/\(asset.playbackID)/thumbnail.png", "no such frame"),
        ("/stream/\(asset.playbackID).m3u8", "no codec available"),
      ] {
        let refused = try Object(await backend.send("GET", path))
        #expect(refused.status == 400 && refused.object("error").text("type") == "invalid_parameters")
        #expect(refused.object("error").fields["messages"] as? [String] == [reason])
      }
      #expect(try made(backend, asset).isEmpty)
      repaired.add()
      #expect(try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png").status == 200)
    }
  }

  @Test func stoppingTheServerCancelsDrawing() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (drawn, gate) = (Counter(), Gate())
    let asset = try await TestBackend.run(in: folder, maker: Self.maker(drawn, gate: gate)) { backend in
      let asset = try await MuxClient(backend).asset(pattern(10))
      Task { _ = try? await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png") }
      try await TestTimeout.wait { drawn.count > 0 }
      return asset
    }
    // The gate never opened, so the drawing was cancelled.
    try await TestBackend.run(in: folder, maker: Self.maker(Counter())) { backend in
      let reply = try await backend.send("GET", "/image/\(asset.playbackID)/thumbnail.png")
      #expect(reply.status == 200 && reply.text.hasPrefix("still-"))
    }
  }

  @Test func otherFilesAreNotServed() async throws {
    try await TestBackend.run(maker: Self.maker(Counter())) { backend in
      let asset = try await MuxClient(backend).asset(pattern(10))
      for path in [
        "/image/ID/..%2f..%2fclip.mp4", "/image/ID/made", "/image/ID/%2e%2e", "/image/../clip.mp4",
        "/image/ID/clip.mp4", "/stream/ID/..%2fclip.mp4", "/stream/ID/master.m3u8", "/stream/ID/segment-1.m4s",
        "/stream/ID/segment%2e%2e.m4s", "/stream/ID/segment0.m4s%00", "/stream/ID/720p.mp4",
        "/stream/..%2f..%2fkeys.json.mp4", "/stream/ID.ts",
        "/stream/none.m3u8", "/stream/none/index.m3u8", "/image/none/thumbnail.jpg", "/image/none/storyboard.vtt",
      ] {
        let reply = try await backend.send("GET", path.replacing("ID", with: asset.playbackID))
        #expect(reply.status == 404 || reply.status == 400, "\(path): \(reply.status) \(reply.text)")
        #expect(!reply.body.starts(with: pattern(10)), "\(path)")
      }
    }
  }
}
