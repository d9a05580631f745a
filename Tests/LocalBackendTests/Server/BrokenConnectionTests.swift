import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct BrokenConnectionTests {
  enum Break: CaseIterable { case reset, endOfFile }

  @Test(arguments: Break.allCases, [1, 1000, quantum + 77])
  func aBrokenRequestKeepsItsReceivedBytes(_ kind: Break, _ arrived: Int) async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(4 * quantum)
      let ticket = try await backend.ticket()
      let connection = try RawConnection(port: backend.server.port)
      let head = backend.head(
        "PUT", ticket.url, ["Content-Range": "bytes 0-\(bytes.count - 1)/\(bytes.count)"], contentLength: bytes.count)
      try await connection.send(head + Array(bytes[..<arrived]))
      switch kind {
      case .reset:
        // A reset can discard bytes that the server has not read, so wait until they are in the file.
        try await waitForPart(backend, ticket, arrived)
        connection.reset()
      case .endOfFile:
        connection.finishSending()
        _ = try await connection.readToEnd()
      }

      #expect(try await backend.confirmed(ticket) == arrived)
      // `*/total` reports the same offset and doesn't complete the upload.
      #expect(try await backend.put(ticket, "bytes */\(bytes.count)").status == 308)
      let rest = Array(bytes[arrived...])
      #expect(try await backend.put(ticket, "bytes \(arrived)-\(bytes.count - 1)/\(bytes.count)", rest).status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes)
    }
  }

  /// A second request while the first one is idle.
  enum Second: CaseIterable { case query, beyond, malformed }

  @Test(arguments: Second.allCases)
  func anIdleWriterKeepsTheUpload(_ second: Second) async throws {
    try await TestBackend.run(options: .init(uploadQueueTimeout: .milliseconds(20))) { backend in
      let bytes = pattern(3 * quantum)
      let ticket = try await backend.ticket()
      let first = try RawConnection(port: backend.server.port)
      try await first.send(backend.head("PUT", ticket.url, contentLength: bytes.count) + Array(bytes[..<quantum]))
      try await waitForPart(backend, ticket, quantum)

      switch second {
      case .query:
        let reply = try await answered { try await backend.put(ticket, "bytes */*") }
        #expect(reply.status == 308 && reply.headers["range"] == "bytes=0-\(quantum - 1)")
      case .beyond:
        let range = "bytes \(2 * quantum)-\(bytes.count - 1)/\(bytes.count)"
        let reply = try await backend.put(ticket, range, Array(bytes[(2 * quantum)...]))
        #expect(reply.status == 503 && reply.headers["retry-after"] == "1")
      case .malformed: #expect(try await backend.put(ticket, "bytes", bytes).status == 503)
      }
      try await first.send(Array(bytes[quantum...]))
      #expect(HTTPReply(try await first.readToEnd()).status == 200)
    }
  }

  /// The client's connection was lost without notice, for example because a router dropped it.
  @Test(arguments: [0, 1000, quantum], [true, false])
  func aNewWriterReplacesAnIdleOne(_ arrived: Int, _ asksFirst: Bool) async throws {
    try await TestBackend.run(options: .init(uploadQueueTimeout: .milliseconds(20))) { backend in
      let bytes = pattern(2 * quantum)
      let ticket = try await backend.ticket()
      let idle = try RawConnection(port: backend.server.port)
      try await idle.send(backend.head("PUT", ticket.url, contentLength: bytes.count) + Array(bytes[..<arrived]))
      try await waitForPart(backend, ticket, arrived)

      if asksFirst {
        let reply = try await answered { try await backend.put(ticket, "bytes */*") }
        #expect(reply.headers["range"] == (arrived > 0 ? "bytes=0-\(arrived - 1)" : nil))
      }
      let range = "bytes \(arrived)-\(bytes.count - 1)/\(bytes.count)"
      let reply = try await answered { try await backend.put(ticket, range, Array(bytes[arrived...])) }
      #expect(reply.status == 200)
      // The connection of the older writer is closed.
      #expect(try await idle.readToEnd().isEmpty)
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes)
    }
  }

  @Test func anIdleWriterCanBeCancelled() async throws {
    try await TestBackend.run(options: .init(uploadQueueTimeout: .milliseconds(20))) { backend in
      let ticket = try await backend.ticket()
      let idle = try RawConnection(port: backend.server.port)
      try await idle.send(backend.head("PUT", ticket.url, contentLength: quantum) + pattern(1000))
      try await waitForPart(backend, ticket, 1000)
      #expect(try await answered { try await backend.send("DELETE", ticket.url) }.status == 499)
      #expect(try await idle.readToEnd().isEmpty)
      #expect(try await backend.put(ticket, "bytes */*").status == 499)
    }
  }

  /// A request that is not waiting for bytes keeps the upload.
  @Test func aBusyRequestIsNotIdle() async throws {
    let queue = UploadSessionQueue()
    let first = ChunkTransfer {}
    let second = ChunkTransfer {}
    guard case .begun = await queue.begin("a", first, timeout: .zero) else { return #expect(Bool(false)) }
    guard case .busy = await queue.begin("a", second, timeout: .zero) else { return #expect(Bool(false)) }
    await queue.end("a")
    guard case .begun = await queue.begin("a", second, timeout: .zero) else { return #expect(Bool(false)) }
  }

  @Test func eachPauseIsDistinct() throws {
    let scratch = try ScratchFolder()
    let file = try PartFile(path: scratch.path("part"))
    let transfer = ChunkTransfer {}
    transfer.pause = .init(at: 0, of: file)
    let before = try #require(transfer.pause)
    #expect(transfer.pause === before)
    transfer.pause = nil
    #expect(transfer.pause == nil)
    transfer.pause = .init(at: 0, of: file)
    #expect(transfer.pause !== before)
  }

  @Test func aCancellationDuringTheTransferTakesEffect() async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(2 * quantum)
      let ticket = try await backend.ticket()
      let connection = try RawConnection(port: backend.server.port)
      try await connection.send(backend.head("PUT", ticket.url, contentLength: bytes.count) + Array(bytes[..<quantum]))
      try await waitForPart(backend, ticket, quantum)
      #expect(try await backend.send("POST", "/uploads/\(ticket.id)/cancel", body: []).status == 200)
      try await connection.send(Array(bytes[quantum...]))
      #expect(HTTPReply(try await connection.readToEnd()).status == 499)
      #expect(try await backend.highlights().isEmpty)
    }
  }

  /// Repeats a request that was rejected because the idle writer had just received a byte.
  private func answered(_ request: () async throws -> HTTPReply) async throws -> HTTPReply {
    for _ in 0..<500 {
      let reply = try await request()
      if reply.status != 503 { return reply }
    }
    return try await request()
  }

  private func waitForPart(_ backend: TestBackend, _ ticket: UploadTicket, _ count: Int) async throws {
    let path = backend.folder + "/uploads/\(ticket.id).part"
    let isThere = try await TestTimeout.wait {
      (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) == count
    }
    #expect(isThere, "the part file never had \(count) bytes")
  }
}
