import ClipModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct RestartTests {
  @Test func aStopDuringARequestKeepsTheReceivedBytes() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = pattern(4 * quantum)
    let (ticket, connection) = try await TestBackend.run(in: folder) { backend in
      let ticket = try await backend.ticket()
      let connection = try RawConnection(port: backend.server.port)
      try await connection.send(
        backend.head("PUT", ticket.url, contentLength: bytes.count) + Array(bytes[..<(quantum + 9)]))
      let path = folder + "/uploads/\(ticket.id).part"
      try await TestTimeout.wait {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int == quantum + 9
      }
      return (ticket, connection)
    }
    connection.finishSending()
    try await TestBackend.run(in: folder) { backend in
      let offset = try #require(try await backend.confirmed(ticket))
      #expect(offset == quantum + 9)
      let rest = Array(bytes[offset...])
      #expect(try await backend.put(ticket, "bytes \(offset)-\(bytes.count - 1)/\(bytes.count)", rest).status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes)
    }
  }

  @Test func longRequestsAreRecordedAtCheckpoints() async throws {
    try await TestBackend.run { backend in
      let count = Int(ChunkReceiver.checkpointBytes)
      let ticket = try await backend.ticket()
      let connection = try RawConnection(port: backend.server.port)
      try await connection.send(
        backend.head("PUT", ticket.url, contentLength: 2 * count) + [UInt8](repeating: 7, count: count + 1000))
      // Read through a second connection to the database, like a server that starts after a kill.
      let store = try ServerStore(path: backend.folder + "/backend.sqlite")
      var recorded: Int64 = 0
      try await TestTimeout.wait {
        recorded = try await store.upload(ticket.id)?.storedBytes ?? 0
        return recorded != 0
      }
      #expect(recorded >= ChunkReceiver.checkpointBytes)
      try store.database.close()
    }
  }

  @Test func unrecordedBytesAreDiscarded() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = pattern(2 * quantum)
    let ticket = try await TestBackend.run(in: folder) { backend in
      let ticket = try await backend.ticket()
      _ = try await backend.put(ticket, "bytes 0-\(quantum - 1)/\(bytes.count)", Array(bytes[..<quantum]))
      return ticket
    }
    // A killed server can leave a file with more bytes than recorded.
    let part = try #require(FileHandle(forWritingAtPath: folder + "/uploads/\(ticket.id).part"))
    try part.seekToEnd()
    try part.write(contentsOf: Data(repeating: 0xEE, count: 3 * quantum))
    try part.close()
    try await TestBackend.run(in: folder) { backend in
      #expect(try await backend.confirmed(ticket) == quantum)
      let rest = Array(bytes[quantum...])
      #expect(
        try await backend.put(ticket, "bytes \(quantum)-\(bytes.count - 1)/\(bytes.count)", rest).status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes)
    }
  }

  @Test func aFinalQueryDiscardsUnrecordedBytes() async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(quantum)
      let ticket = try await backend.ticket()
      _ = try await backend.put(ticket, "bytes 0-\(quantum - 1)/*", bytes)
      let part = try #require(FileHandle(forWritingAtPath: backend.folder + "/uploads/\(ticket.id).part"))
      try part.seekToEnd()
      try part.write(contentsOf: Data(repeating: 0xEE, count: 100))
      try part.close()
      #expect(try await backend.put(ticket, "bytes */\(quantum)").status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes)
    }
  }

  @Test(arguments: ["inspect", "draw"])
  func anInterruptedAssetIsMadeAtTheNextStart(_ stage: String) async throws {
    let isPublished = stage == "draw"
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let gate = Gate()
    var slow = TestBackend.quickMaker
    if !isPublished {
      slow.inspect = { _ in
        await gate.wait()
        throw CancellationError()
      }
    } else {
      slow.drawPicture = { _, _, path in
        try Data("half".utf8).write(to: URL(filePath: path))
        await gate.wait()
        throw CancellationError()
      }
    }
    let draft = HighlightDraft.sample()
    let ticket = try await TestBackend.run(in: folder, maker: slow) { backend in
      let ticket = try await backend.ticket(draft)
      #expect(try await backend.put(ticket, nil, pattern(500)).status == 200)
      let state = isPublished ? try await backend.settled(ticket.id) : try await backend.state(ticket.id)
      #expect(state.status == (isPublished ? .ready : .assetCreated))
      return ticket
    }
    try await TestBackend.run(in: folder) { backend in
      #expect(try await backend.settled(ticket.id).status == .ready)
      let highlights = try await backend.highlights()
      #expect(highlights.map(\.id) == [draft.highlightID])
      let thumbnail = try await backend.send("GET", highlights[0].thumbnailURL ?? "")
      #expect(thumbnail.text == "jpeg")
    }
    // A third start has nothing to do: the row exists once.
    let highlights = try await TestBackend.run(in: folder) { try await $0.highlights() }
    #expect(highlights.count == 1)
  }

  @Test func onlyUnusedFilesAreRemoved() async throws {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let highlight = try await TestBackend.run(in: folder) { try await $0.publish(pattern(5000)) }
    try FileManager.default.createDirectory(atPath: folder + "/assets/orphan", withIntermediateDirectories: false)
    _ = FileManager.default.createFile(atPath: folder + "/uploads/orphan.part", contents: Data())
    // The stop waits for the cleanup.
    let highlights = try await TestBackend.run(in: folder) { try await $0.highlights() }
    #expect(highlights == [highlight])
    #expect(!FileManager.default.fileExists(atPath: folder + "/assets/orphan"))
    #expect(!FileManager.default.fileExists(atPath: folder + "/uploads/orphan.part"))
    try await TestBackend.run(in: folder) { backend in
      let clip = try await backend.send("GET", "/stream/\(highlight.playback).mp4")
      #expect(clip.body == pattern(5000))
    }
  }

  /// The offset never decreases, and the uploaded bytes are those of the file.
  @Test(arguments: TestScope.seeds(1, of: 3)) func uploadsCompleteDespiteRandomFaults(_ seed: UInt64)
    async throws
  {
    let folder = TestBackend.newFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = pattern(8 * quantum + 123, seed: seed)
    var choices = pattern(4000, seed: seed &+ 100)[...]
    func choose(_ count: Int) -> Int { Int(choices.popFirst() ?? 0) % count }
    var opened: UploadTicket?
    var offset = 0
    var isComplete = false
    for _ in 0..<60 where !isComplete {
      // Each round has its own server, so half of the attempts end in a restart.
      try await TestBackend.run(in: folder) { backend in
        let ticket: UploadTicket
        if let opened { ticket = opened } else { ticket = try await backend.ticket() }
        opened = ticket
        repeat {
          guard let stored = try await backend.confirmed(ticket) else {
            isComplete = true
            return
          }
          #expect(stored >= offset, "seed \(seed)")
          offset = stored
          let start = max(0, offset - choose(3) * 1000)
          let isLast = start + 2 * quantum >= bytes.count
          let end = isLast ? bytes.count : start + (1 + choose(2)) * quantum
          let sent = choose(2) == 0 ? end - start : choose(256) * (end - start) / 256
          let connection = try RawConnection(port: backend.server.port)
          let head = backend.head(
            "PUT", ticket.url, ["Content-Range": "bytes \(start)-\(end - 1)/\(bytes.count)"], contentLength: end - start
          )
          try await connection.send(head + Array(bytes[start..<(start + sent)]))
          if choose(2) == 0 { connection.reset() } else { connection.finishSending() }
          _ = try await connection.readToEnd()
        } while choose(2) == 0
      }
    }
    #expect(isComplete, "seed \(seed)")
    try await TestBackend.run(in: folder) { backend in
      let state = try await backend.settled(try #require(opened).id)
      #expect(state.status == .ready, "seed \(seed)")
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes, "seed \(seed)")
    }
  }
}
