import ClipModel
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct UploadRoutesTests {
  @Test func theSameKeyReturnsTheSameTicketWhileWaiting() async throws {
    try await TestBackend.run { backend in
      let draft = HighlightDraft.sample()
      let first = try await backend.open(draft, key: "job-1")
      let second = try await backend.open(draft, key: "job-1")
      #expect(first.status == 201 && second.status == 200)
      let ticket = try first.json(UploadTicket.self)
      #expect(try second.json(UploadTicket.self) == ticket)
      #expect(ticket.url.hasPrefix("/upload/\(ticket.id)?token="))

      var other = draft
      other.caption = "something else"
      let conflict = try await backend.open(other, key: "job-1")
      #expect(conflict.status == 409 && conflict.text.contains("idempotency_conflict"))
      #expect(try await backend.state(ticket.id).status == .waiting)
    }
  }

  @Test func simultaneousRequestsWithOneKeyOpenOneUpload() async throws {
    try await TestBackend.run { backend in
      let draft = HighlightDraft.sample()
      let replies = try await withThrowingTaskGroup(of: HTTPReply.self) { group in
        for _ in 0..<8 { group.addTask { try await backend.open(draft, key: "job-1") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(replies.filter { $0.status == 201 }.count == 1)
      #expect(try Set(replies.map { try $0.json(UploadTicket.self).id }).count == 1)
    }
  }

  @Test func simultaneousLastRequestsMakeOneHighlight() async throws {
    try await TestBackend.run(options: .init(uploadQueueTimeout: .seconds(30))) { backend in
      let ticket = try await backend.ticket()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<6 { group.addTask { try await backend.put(ticket, nil, pattern(70_000)).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 200, count: 6))
      #expect(try await backend.settled(ticket.id).status == .ready)
      #expect(try await backend.highlights().count == 1)
    }
  }

  @Test func aCancelledKeyReturnsANewTicket() async throws {
    try await TestBackend.run { backend in
      let draft = HighlightDraft.sample()
      let first = try await backend.ticket(draft, key: "job-1")
      _ = try await backend.send("POST", "/uploads/\(first.id)/cancel", body: [])
      let second = try await backend.ticket(draft, key: "job-1")
      #expect(second.id != first.id)
    }
  }

  @Test func aSupersededUploadIsCancelledImmediately() async throws {
    try await TestBackend.run { backend in
      let draft = HighlightDraft.sample()
      let old = try await backend.ticket(draft, key: "job-1 attempt 1")
      let new = try await backend.ticket(draft, key: "job-1 attempt 2")
      #expect(try await backend.state(old.id).status == .cancelled)
      #expect(try await backend.state(old.id).error == ServerStore.supersededText)
      for range in [nil, "bytes */*"] {
        let reply = try await backend.put(old, range, pattern(100))
        #expect(reply.status == 499)
      }
      #expect(try await backend.highlights().isEmpty)

      #expect(try await backend.put(new, nil, pattern(200)).status == 200)
      #expect(try await backend.settled(new.id).status == .ready)
      #expect(try await backend.highlights().map(\.id) == [draft.highlightID])
      #expect(try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/assets").count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/uploads").isEmpty)
    }
  }

  @Test func anUploadSupersededDuringProcessingMakesNoHighlight() async throws {
    let gate = Gate()
    try await TestBackend.run(maker: TestBackend.maker(waitingFor: gate)) { backend in
      let draft = HighlightDraft.sample()
      let old = try await backend.ticket(draft)
      #expect(try await backend.put(old, nil, pattern(100)).status == 200)
      #expect(try await backend.state(old.id).status == .assetCreated)
      let new = try await backend.ticket(draft)
      await gate.open()
      #expect(try await backend.settled(old.id).status == .cancelled)
      #expect(try await backend.highlights().isEmpty)
      #expect(try await backend.put(new, nil, pattern(200)).status == 200)
      #expect(try await backend.settled(new.id).status == .ready)
    }
  }

  @Test func aSupersededAssetIsRemovedAfterARestart() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let gate = Gate()
    var maker = TestBackend.quickMaker
    maker.inspect = { _ in
      await gate.wait()
      throw CancellationError()
    }
    let old = try await TestBackend.run(in: folder, maker: maker) { backend in
      let draft = HighlightDraft.sample()
      let old = try await backend.ticket(draft)
      #expect(try await backend.put(old, nil, pattern(100)).status == 200)
      #expect(try await backend.state(old.id).status == .assetCreated)
      _ = try await backend.ticket(draft)
      // Immediately, because the queue may never get to it.
      #expect(try await backend.state(old.id).status == .cancelled)
      let store = try ServerStore(path: folder + "/backend.sqlite")
      let unfinished = try await store.database.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM assets WHERE status = 'preparing'")
      }
      #expect(unfinished == 0)
      try store.database.close()
      await gate.open()
      return old
    }
    try await TestBackend.run(in: folder) { backend in
      #expect(try await backend.state(old.id).status == .cancelled)
      let assets = folder + "/assets"
      let isCleared = try await TestTimeout.wait { try FileManager.default.contentsOfDirectory(atPath: assets).isEmpty }
      #expect(isCleared)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/uploads").isEmpty)
    }
  }

  @Test func aDraftOfAnExistingHighlightIsRejected() async throws {
    try await TestBackend.run { backend in
      let draft = HighlightDraft.sample()
      _ = try await backend.publish(pattern(100), draft)
      let reply = try await backend.open(draft)
      #expect(reply.status == 409 && reply.text.contains("already_registered"))
    }
  }

  @Test(arguments: [
    ("{}", 400, "highlight_id"), ("nonsense", 400, "invalid_parameters"),
    (#"{"privacy_level":"everyone"}"#, 400, ""), (#"{"duration":2.9}"#, 422, "duration"),
    (#"{"duration":"x"}"#, 400, "duration"), (#"{"timeout":59}"#, 422, "timeout"),
    (#"{"quality":1.5}"#, 422, "quality"), (#"{"timeout":604800}"#, 201, ""),
  ])
  func draftsAreValidated(_ patch: String, _ status: Int, _ message: String) async throws {
    try await TestBackend.run { backend in
      var body = Array(patch.utf8)
      if patch.hasPrefix("{\"") {
        var fields = try #require(
          try JSONSerialization.jsonObject(with: JSONEncoder().encode(HighlightDraft.sample())) as? [String: Any])
        fields.merge(try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])) { $1 }
        body = Array(try JSONSerialization.data(withJSONObject: fields))
      }
      let reply = try await backend.send("POST", "/uploads", headers: ["Idempotency-Key": "k"], body: body)
      #expect(reply.status == status)
      if !message.isEmpty { #expect(reply.text.contains(message)) }
      if status != 201 { #expect(reply.text.contains(#"{"error":{"messages":["#)) }
    }
  }

  @Test func anIdempotencyKeyAndASmallBodyAreRequired() async throws {
    try await TestBackend.run { backend in
      let body = Array(try JSONEncoder().encode(HighlightDraft.sample()))
      #expect(try await backend.send("POST", "/uploads", body: body).status == 400)
      let huge = try await backend.send(
        "POST", "/uploads", headers: ["Idempotency-Key": "k"], body: [UInt8](repeating: 32, count: 300_000))
      #expect(huge.status == 413)
      #expect(try await backend.send("GET", "/uploads/unknown").status == 404)
    }
  }

  @Test(.timeLimit(.minutes(1))) func theThumbnailIsRenderedBeforeItIsRequested() async throws {
    let gate = Gate()
    let drawn = Mutex<[ImageQuery]>([])
    var maker = TestBackend.quickMaker
    maker.drawPicture = { query, _, path in
      drawn.withLock { $0.append(query) }
      try Data("early".utf8).write(to: URL(filePath: path))
      await gate.open()
    }
    try await TestBackend.run(maker: maker) { backend in
      let highlight = try await backend.publish(pattern(100))
      await gate.wait()
      // A request gets the existing picture.
      let thumbnail = try await backend.send("GET", try #require(highlight.thumbnailURL))
      #expect(thumbnail.status == 200 && thumbnail.text == "early")
      #expect(drawn.withLock { $0 } == [.still(PictureFraming(atSeconds: 2))])
    }
  }

  @Test(arguments: ["throws", "no video", "no duration"])
  func aFailedAssetIsErroredAndNotServed(_ fault: String) async throws {
    struct Broken: Error {}
    var maker = TestBackend.quickMaker
    switch fault {
    case "throws": maker.inspect = { _ in throw Broken() }
    case "no video":
      maker.inspect = { _ in
        AssetProperties(durationSeconds: 9, width: 0, height: 0, frameRate: nil, hasVideo: false, videoTrackCount: 0)
      }
    default:
      maker.inspect = { _ in
        AssetProperties(durationSeconds: .nan, width: 9, height: 9, frameRate: nil, hasVideo: true, videoTrackCount: 1)
      }
    }
    try await TestBackend.run(maker: maker) { backend in
      let ticket = try await backend.ticket()
      #expect(try await backend.put(ticket, nil, pattern(100)).status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(state.status == .errored)
      #expect(state.error?.isEmpty == false)
      #expect(try await backend.highlights().isEmpty)
      let playback = try #require(state.playbackID)
      #expect(try await backend.send("GET", "/stream/\(playback).mp4").status == 404)
      #expect(try await backend.send("GET", "/image/\(playback)/thumbnail.jpg").status == 404)
      #expect(try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/assets").isEmpty)
    }
  }
}

/// Callers wait until the gate is opened or their task is cancelled.
actor Gate {
  private var isOpen = false
  private var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]

  func wait() async {
    if isOpen || Task.isCancelled { return }
    let id = UUID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiters[id] = $0 }
    } onCancel: {
      Task { await self.release(id) }
    }
  }

  func open() {
    isOpen = true
    for waiter in waiters.values { waiter.resume() }
    waiters = [:]
  }

  private func release(_ id: UUID) { waiters.removeValue(forKey: id)?.resume() }
}
