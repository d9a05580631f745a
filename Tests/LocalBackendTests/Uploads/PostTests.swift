import ClipModel
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import LocalBackend

/// Posts of several clips: files, pages and restarts of this backend. `Tests/Conformance/105-posts.json` tests the rules.
@Suite(.timeLimit(.minutes(10))) struct PostTests {
  /// Opens the uploads of a post, in order.
  private func open(_ count: Int, on backend: TestBackend, id: UUID = UUID()) async throws -> [UploadTicket] {
    var tickets: [UploadTicket] = []
    for part in 0..<count {
      let post = PostPart(part: part, count: count)
      tickets.append(try await backend.ticket(.sample(id, post: post, caption: "clip \(part)")))
    }
    return tickets
  }

  /// Uploads a clip that is not the last one, and waits until it can be played.
  private func put(_ ticket: UploadTicket, _ bytes: [UInt8], on backend: TestBackend) async throws {
    #expect(try await backend.put(ticket, nil, bytes).status == 200)
    let isPlayable = try await TestTimeout.wait {
      let playback = try await backend.state(ticket.id).playbackID ?? "none"
      return try await backend.send("GET", "/stream/\(playback).mp4").status == 200
    }
    #expect(isPlayable, "the clip never became playable")
  }

  private func assetCount(_ backend: TestBackend) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/assets").count
  }

  private func isWithoutAssets(_ backend: TestBackend) async throws -> Bool {
    try await TestTimeout.wait { try assetCount(backend) == 0 }
  }

  @Test func thePagePlaysAllVideosOfAPost() async throws {
    try await TestBackend.run { backend in
      let tickets = try await open(3, on: backend)
      try await put(tickets[2], pattern(300, seed: 3), on: backend)
      try await put(tickets[0], pattern(100, seed: 1), on: backend)
      #expect(try await backend.highlights().isEmpty)
      #expect(try await backend.put(tickets[1], nil, pattern(200, seed: 2)).status == 200)
      #expect(try await backend.settled(tickets[1].id).status == .ready)
      let highlight = try #require(try await backend.highlights().first)
      #expect(highlight.caption == "clip 0" && highlight.localRallyIndex == nil)
      let videos = try #require(highlight.videoURLs)
      #expect(videos.first == "/stream/\(highlight.playback).m3u8")
      let page = try await backend.send("GET", "/h/\(highlight.id)").text
      var positions: [String.Index] = []
      for (index, video) in videos.enumerated() {
        let file = video.replacing(".m3u8", with: ".mp4")
        #expect(try await backend.send("GET", file).body == pattern(100 * (index + 1), seed: UInt64(index + 1)))
        positions.append(try #require(page.range(of: "src=\"\(file)\"")).lowerBound)
        #expect(
          page.contains("poster=\"\(video.replacing("/stream/", with: "/image/").dropLast(5))/thumbnail.jpg?time=2\""))
      }
      #expect(positions == positions.sorted() && positions.count == 3)
      #expect(try assetCount(backend) == 3)
      #expect(try await backend.send("DELETE", "/rest/v1/highlights?id=eq.\(highlight.id)").status == 204)
      #expect(try await isWithoutAssets(backend))
      #expect(try await backend.send("GET", videos[1].replacing(".m3u8", with: ".mp4")).status == 404)
    }
  }

  @Test func aRestartKeepsReadyClips() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inspected = Mutex(0)
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in
      inspected.withLock { $0 += 1 }
      return TestBackend.goodFacts
    }
    let tickets = try await TestBackend.run(in: folder, maker: maker) { backend in
      let tickets = try await open(2, on: backend)
      try await put(tickets[1], pattern(100), on: backend)
      return tickets
    }
    try await TestBackend.run(in: folder, maker: maker) { backend in
      #expect(try await backend.put(tickets[0], nil, pattern(200)).status == 200)
      #expect(try await backend.settled(tickets[0].id).status == .ready)
      let highlight = try await backend.highlights().first
      #expect(highlight?.videoURLs?.count == 2)
    }
    #expect(inspected.withLock { $0 } == 2)
  }

  @Test func aFailedClipRemovesTheFilesOfThePost() async throws {
    var maker = TestBackend.quickMaker
    maker.inspect = { path in
      let bytes = try Data(contentsOf: URL(filePath: path)).count
      return bytes == 13
        ? AssetProperties(durationSeconds: 9, width: 0, height: 0, frameRate: 0, hasVideo: false, videoTrackCount: 0)
        : TestBackend.goodFacts
    }
    try await TestBackend.run(maker: maker) { backend in
      let tickets = try await open(3, on: backend)
      try await put(tickets[0], pattern(100), on: backend)
      #expect(
        try await backend.put(tickets[2], "bytes 0-\(quantum - 1)/\(2 * quantum)", pattern(quantum)).status == 308)
      #expect(try await backend.put(tickets[1], nil, pattern(13)).status == 200)
      let failed = try await backend.settled(tickets[1].id)
      let other = try await backend.state(tickets[0].id)
      #expect(failed.status == .errored && other.status == .errored)
      // The other clip has the reason, too.
      let reason = try #require(failed.error)
      #expect(other.error?.hasSuffix(reason) == true && other.error != reason)
      #expect(try await isWithoutAssets(backend))
      // Its upload is incomplete, and the rest is not accepted.
      #expect(try await backend.put(tickets[2], "bytes */*").status == 499)
      #expect(try await backend.highlights().isEmpty)
    }
  }

  @Test func cancellingAClipCancelsThePost() async throws {
    try await TestBackend.run { backend in
      let tickets = try await open(3, on: backend)
      try await put(tickets[0], pattern(100), on: backend)
      #expect(
        try await backend.put(tickets[2], "bytes 0-\(quantum - 1)/\(2 * quantum)", pattern(quantum)).status == 308)
      #expect(try await backend.send("POST", "/uploads/\(tickets[1].id)/cancel", body: []).status == 200)
      #expect(try await backend.state(tickets[0].id).status == .cancelled)
      #expect(try await isWithoutAssets(backend))
      #expect(try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/uploads").isEmpty)
    }
  }

  @Test func deletingAnAssetEndsItsPost() async throws {
    try await TestBackend.run { backend in
      let tickets = try await open(2, on: backend)
      try await put(tickets[0], pattern(100), on: backend)
      let asset = try #require(try await backend.state(tickets[0].id).assetID)
      let mux = try await MuxClient(backend)
      #expect(try await mux.send("DELETE", "assets/\(asset)").status == 204)
      for ticket in tickets { #expect(try await backend.state(ticket.id).status == .errored) }
    }
  }

  @Test func incompletePostsAreCancelledAfterEightDays() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tickets = try await TestBackend.run(in: folder) { backend in
      let tickets = try await open(2, on: backend)
      try await put(tickets[0], pattern(100), on: backend)
      return tickets
    }
    let days = { @Sendable (count: Double) in { @Sendable () -> Date in Date().addingTimeInterval(count * 86_400) } }
    for (age, status) in [(7.9, UploadState.Status.assetCreated), (8.1, .cancelled)] {
      try await TestBackend.run(in: folder, options: .init(now: days(age))) { backend in
        // The cleanup runs concurrently with the first requests.
        try await TestTimeout.wait {
          if status == .cancelled { return try await backend.state(tickets[0].id).status == status }
          return try await backend.state(tickets[1].id).status == .timedOut
        }
        #expect(try await backend.state(tickets[0].id).status == status)
        if status == .cancelled {
          #expect(try await backend.state(tickets[0].id).error != nil)
          #expect(try await isWithoutAssets(backend))
        }
      }
    }
  }

  /// A folder of a version without posts.
  @Test func uploadsOfAnOlderVersionAreSingleClips() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let old = try DatabasePool(path: folder + "/backend.sqlite")
    try ServerModule.all.migrator.migrate(old, upTo: "4 mux assets")
    let draft = HighlightDraft.sample()
    let text = String(decoding: try JSONEncoder().encode(draft), as: UTF8.self)
    #expect(!text.contains("part"))
    try await old.write { db in
      try db.execute(
        sql: """
          INSERT INTO uploads (id, token, idempotency_key, highlight_id, draft, status, expires_at, created_at)
          VALUES ('old', 'secret', 'key', ?, ?, 'waiting', 4102444800, '2026-01-02T03:04:05.000000+00:00')
          """, arguments: [draft.highlightID.uuidString.lowercased(), text])
    }
    try old.close()
    try await TestBackend.run(in: folder) { backend in
      #expect(try await backend.send("PUT", "/upload/old?token=secret", body: pattern(100)).status == 200)
      #expect(try await backend.settled("old").status == .ready)
      let highlight = try #require(try await backend.highlights().first)
      #expect(highlight.videoURLs == nil && highlight.localRallyIndex == 2)
    }
  }
}
