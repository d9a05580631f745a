import ClipModel
import Foundation
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(2))) struct BrokenConnectionTests {
  enum Break: CaseIterable { case reset, endOfFile }

  @Test(arguments: Break.allCases, [1, 1000, quantum + 77])
  func keepsThePrefixThatArrived(_ kind: Break, _ arrived: Int) async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(4 * quantum)
      let ticket = try await backend.ticket()
      let connection = try RawConnection(port: backend.server.port)
      let head = backend.head(
        "PUT", ticket.url, ["Content-Range": "bytes 0-\(bytes.count - 1)/\(bytes.count)"], contentLength: bytes.count)
      try await connection.send(head + Array(bytes[..<arrived]))
      switch kind {
      case .reset:
        // A reset may overtake bytes that the server has not read; wait until it has them in the file.
        try await waitForPart(backend, ticket, arrived)
        connection.reset()
      case .endOfFile:
        connection.finishSending()
        _ = try await connection.readToEnd()
      }

      #expect(try await backend.confirmed(ticket) == arrived)
      // `*/total` tells the same and finishes nothing.
      #expect(try await backend.put(ticket, "bytes */\(bytes.count)").status == 308)
      let rest = Array(bytes[arrived...])
      #expect(try await backend.put(ticket, "bytes \(arrived)-\(bytes.count - 1)/\(bytes.count)", rest).status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes)
    }
  }

  @Test func aSecondRequestIsSentAwayWhileTheFirstRuns() async throws {
    try await TestBackend.run(options: .init(turnPatience: .milliseconds(20))) { backend in
      let bytes = pattern(2 * quantum)
      let ticket = try await backend.ticket()
      let first = try RawConnection(port: backend.server.port)
      try await first.send(backend.head("PUT", ticket.url, contentLength: bytes.count) + Array(bytes[..<quantum]))
      try await waitForPart(backend, ticket, quantum)

      let second = try await backend.put(ticket, "bytes */*")
      #expect(second.status == 503)
      #expect(second.headers["retry-after"] == "1")

      try await first.send(Array(bytes[quantum...]))
      #expect(HTTPReply(try await first.readToEnd()).status == 200)
    }
  }

  @Test func aCancelDuringTheTransferWins() async throws {
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

  private func waitForPart(_ backend: TestBackend, _ ticket: UploadTicket, _ count: Int) async throws {
    let path = backend.folder + "/uploads/\(ticket.id).part"
    for _ in 0..<2000 {
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      if size == count { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("the part file never had \(count) bytes")
  }
}
