import ClipModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// `POST /functions/v1/trim`: a highlight gets a part of its video, and keeps everything else.
@Suite(.timeLimit(.minutes(10))) struct TrimTests {
  /// A maker that writes the range as the content of a trimmed clip.
  private static var maker: AssetMaker {
    var maker = TestBackend.quickMaker
    maker.trim = { _, range, path in
      try Data("\(range.lowerBound) to \(range.upperBound)".utf8).write(to: URL(filePath: path))
    }
    maker.inspect = { path in
      var facts = TestBackend.goodFacts
      if path.contains("/trim-") { facts.durationSeconds = 5 }
      return facts
    }
    return maker
  }

  private static func trim(
    _ backend: TestBackend, _ id: String, _ from: String, _ to: String, _ headers: [String: String] = [:]
  ) async throws -> HTTPReply {
    try await backend.send(
      "POST", "/functions/v1/trim", headers: headers,
      body: Array(#"{"highlight_id":"\#(id)","from":\#(from),"to":\#(to)}"#.utf8))
  }

  private static func assetFolders(_ backend: TestBackend) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/assets")
  }

  @Test func theHighlightKeepsEverythingButItsVideo() async throws {
    try await TestBackend.run(maker: Self.maker) { backend in
      let old = try await backend.publish(pattern(1000))
      let id = old.id.uuidString.lowercased()
      for (table, more) in [("likes", ""), ("comments", #","text":"ace","author_id":"\#(Caller.localUserID)""#)] {
        let user = table == "likes" ? #","user_id":"\#(Caller.localUserID)""# : ""
        let reply = try await backend.send(
          "POST", "/rest/v1/\(table)", headers: ["Content-Type": "application/json"],
          body: Array(#"{"highlight_id":"\#(id)"\#(user)\#(more)}"#.utf8))
        #expect(reply.status == 201, "\(reply.text)")
      }
      let reply = try await Self.trim(backend, id.uppercased(), "2.5", "7.5")
      let status = try Object(reply).text("status")
      #expect(reply.status == 200 && status == "ready", "\(reply.text)")
      let new = try #require(try await backend.highlights().first)
      #expect(new.id == old.id && new.duration == 5 && new.caption == old.caption && new.createdAt == old.createdAt)
      #expect(new.muxAssetID != old.muxAssetID && new.muxPlaybackID != old.muxPlaybackID)
      let counts = try await backend.send("GET", "/rest/v1/highlights?select=likes_count,comments_count,rally_metadata")
        .text
      #expect(counts.contains(#""likes_count":1"#) && counts.contains(#""comments_count":1"#), "\(counts)")
      #expect(counts.contains(#""duration":5"#), "\(counts)")
      #expect(try await backend.send("GET", "/stream/\(new.playback).mp4").text == "2.5 to 7.5")
      #expect(try await backend.send("GET", "/image/\(new.playback)/thumbnail.jpg?time=2").status == 200)
      #expect(try await backend.send("GET", "/stream/\(old.playback).mp4").status == 404)
      try await TestTimeout.wait { try Self.assetFolders(backend) == [new.muxAssetID ?? ""] }
    }
  }

  @Test(arguments: [("-1", "5", 422), ("0", "2", 422), ("5", "1", 422), ("9", "12.5", 422), ("\"1\"", "5", 400)])
  func otherPartsAreRejected(_ from: String, _ to: String, _ status: Int) async throws {
    try await TestBackend.run(maker: Self.maker) { backend in
      let old = try await backend.publish(pattern(100))
      let reply = try await Self.trim(backend, old.id.uuidString, from, to)
      #expect(reply.status == status, "\(reply.text)")
      #expect(try await backend.highlights().first?.muxAssetID == old.muxAssetID)
    }
  }

  @Test func aFailedCutChangesNothing() async throws {
    var maker = Self.maker
    maker.trim = { _, _, _ in throw AssetError.rejected("no") }
    try await TestBackend.run(maker: maker) { backend in
      let old = try await backend.publish(pattern(100))
      #expect(try await Self.trim(backend, old.id.uuidString, "0", "5").status == 400)
      #expect(try await Self.trim(backend, UUID().uuidString, "0", "5").status == 404)
      #expect(try await backend.highlights().first == old)
    }
  }

  /// What was cut is removed if the highlight can't use it.
  @Test func aRefusedCutLeavesNoFile() async throws {
    var maker = Self.maker
    maker.inspect = { path in
      var facts = TestBackend.goodFacts
      if path.contains("/trim-") { facts.durationSeconds = 0.5 }
      return facts
    }
    try await TestBackend.run(maker: maker) { backend in
      let old = try await backend.publish(pattern(100))
      #expect(try await Self.trim(backend, old.id.uuidString, "0", "5").status == 422)
      let names = FileManager.default.enumerator(atPath: backend.folder + "/assets")?.compactMap { $0 as? String } ?? []
      #expect(!names.isEmpty && !names.contains { $0.contains("trim-") }, "\(names)")
    }
  }

  /// A repeated request waits for the first one. A different one is refused until the first one has ended.
  @Test func simultaneousTrimsAreOne() async throws {
    let (started, start) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    var maker = Self.maker
    let cut = maker.trim
    maker.trim = { source, range, path in
      start.yield()
      for await _ in ended { break }
      try await cut(source, range, path)
    }
    try await TestBackend.run(maker: maker) { backend in
      let id = try await backend.publish(pattern(100)).id.uuidString
      async let first = Self.trim(backend, id, "0", "5")
      for await _ in started { break }
      async let second = Self.trim(backend, id, "0", "5")
      let other = try await Self.trim(backend, id, "1", "6")
      #expect(other.status == 409, "\(other.text)")
      end.yield()
      end.finish()
      let replies = try await [first, second]
      // The second request can also arrive after the first trim, and then cuts the new clip.
      #expect(replies.map(\.status) == [200, 200], "\(replies.map(\.text))")
    }
  }

  @Test func onlyTheAuthorCanTrim() async throws {
    try await TestBackend.run(maker: Self.maker) { backend in
      let old = try await backend.publish(pattern(100))
      let eve = try await AuthRoutesTests.signUp(backend, "eve@example.org")
      let bearer = AuthRoutesTests.bearer(eve.accessToken)
      #expect(try await Self.trim(backend, old.id.uuidString, "0", "5", bearer).status == 404)
      #expect(try await Self.trim(backend, old.id.uuidString, "0", "5").status == 401)
      #expect(try await backend.highlights().first?.muxAssetID == old.muxAssetID)
    }
  }
}
