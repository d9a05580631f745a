import ClipModel
import Foundation
import Synchronization
import Testing

@testable import LocalBackend

@Suite(.timeLimit(.minutes(10))) struct ChunkRoutesTests {
  @Test func aFileCanBeUploadedInChunks() async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(2 * quantum + 5)
      let ticket = try await backend.ticket()
      #expect(try await backend.confirmed(ticket) == 0)

      let first = try await backend.put(ticket, "bytes 0-\(quantum - 1)/\(bytes.count)", Array(bytes[..<quantum]))
      #expect(first.status == 308)
      #expect(first.headers["range"] == "bytes=0-\(quantum - 1)")

      let rest = Array(bytes[quantum...])
      let last = try await backend.put(ticket, "bytes \(quantum)-\(bytes.count - 1)/\(bytes.count)", rest)
      #expect(last.status == 200)
      #expect(last.headers["x-goog-stored-content-length"] == "\(bytes.count)")
      #expect(try await backend.settled(ticket.id).status == .ready)

      let highlight = try #require(try await backend.highlights().first)
      #expect(try await backend.send("GET", "/stream/\(highlight.playback).mp4").body == bytes)
    }
  }

  @Test(arguments: [1, quantum - 1, quantum, quantum + 1, 3_000_000], [false, true])
  func aFileCanBeUploadedInOneRequest(_ count: Int, _ hasRange: Bool) async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(count)
      let ticket = try await backend.ticket()
      let reply = try await backend.put(ticket, hasRange ? "bytes 0-\(count - 1)/\(count)" : nil, bytes)
      #expect(reply.status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(state.status == .ready)
      let stored = try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4")
      #expect(stored.body == bytes)
    }
  }

  @Test func theTotalCanBeUnknownUntilTheLastRequest() async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(2 * quantum)
      let ticket = try await backend.ticket()
      for start in [0, quantum] {
        let chunk = Array(bytes[start..<(start + quantum)])
        #expect(try await backend.put(ticket, "bytes \(start)-\(start + quantum - 1)/*", chunk).status == 308)
      }
      #expect(try await backend.put(ticket, "bytes */*").status == 308)
      #expect(try await backend.put(ticket, "bytes */\(bytes.count + 1)").status == 308)
      #expect(try await backend.put(ticket, "bytes */\(bytes.count)").status == 200)
      #expect(try await backend.settled(ticket.id).status == .ready)
    }
  }

  @Test func repeatedBytesAreIgnoredAndGapsRejected() async throws {
    try await TestBackend.run { backend in
      let bytes = pattern(4 * quantum)
      let other = pattern(4 * quantum, seed: 2)
      let ticket = try await backend.ticket()
      func put(_ range: Range<Int>, _ source: [UInt8]) async throws -> HTTPReply {
        try await backend.put(
          ticket, "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)", Array(source[range]))
      }
      #expect(try await put(0..<(2 * quantum), bytes).status == 308)
      #expect(try await put((3 * quantum)..<(4 * quantum), bytes).status == 416)
      // A repeated chunk with other bytes doesn't change the stored ones.
      let repeated = try await put(0..<quantum, other)
      #expect(repeated.headers["range"] == "bytes=0-\(2 * quantum - 1)")
      let overlapping = try await put(quantum..<(3 * quantum), Array(other[..<(2 * quantum)] + bytes[(2 * quantum)...]))
      #expect(overlapping.headers["range"] == "bytes=0-\(3 * quantum - 1)")
      #expect(try await put((3 * quantum)..<(4 * quantum), bytes).status == 200)
      let state = try await backend.settled(ticket.id)
      #expect(try await backend.send("GET", "/stream/\(state.playbackID ?? "").mp4").body == bytes)
    }
  }

  @Test(arguments: [
    ("bytes 0-99/1000", 100, 400), ("bytes 0-9/10", 9, 400), ("garbage", 10, 400), ("bytes */*", 1, 400),
    ("bytes */0", 0, 400), ("bytes 262144-524287/1000000", 262_144, 416),
    ("bytes 0-262143/99999999999999", 262_144, 400),
  ])
  func invalidChunksAreRejected(_ range: String, _ count: Int, _ status: Int) async throws {
    try await TestBackend.run { backend in
      let ticket = try await backend.ticket()
      #expect(try await backend.put(ticket, range, pattern(count)).status == status)
      #expect(try await backend.confirmed(ticket) == 0)
    }
  }

  @Test func aLengthIsRequired() async throws {
    try await TestBackend.run { backend in
      let ticket = try await backend.ticket()
      let reply = try await backend.send(
        "PUT", ticket.url, headers: ["Transfer-Encoding": "chunked", "Expect": "100-continue"])
      #expect(reply.status == 411)
    }
  }

  @Test func aCompleteUploadStaysComplete() async throws {
    try await TestBackend.run { backend in
      let ticket = try await backend.ticket()
      #expect(try await backend.put(ticket, nil, pattern(1000)).status == 200)
      for range in ["bytes */*", "bytes */1000", "bytes 0-999/1000"] {
        let body = range.contains("*") ? [] : pattern(1000)
        #expect(try await backend.put(ticket, range, body).status == 200)
      }
      #expect(try await backend.settled(ticket.id).status == .ready)
      #expect(try await backend.highlights().count == 1)
      #expect(try await backend.send("DELETE", ticket.url, body: []).status == 409)
    }
  }

  @Test func wrongTokensAndUnknownUploadsAreRejected() async throws {
    try await TestBackend.run { backend in
      let ticket = try await backend.ticket()
      for token in ["", "x", String(repeating: "0", count: 64)] {
        let reply = try await backend.send("PUT", "/upload/\(ticket.id)?token=\(token)", body: pattern(10))
        #expect(reply.status == 403)
      }
      #expect(try await backend.send("PUT", "/upload/nothing?token=x", body: []).status == 404)
      #expect(try await backend.send("DELETE", "/upload/\(ticket.id)?token=x", body: []).status == 403)
      #expect(try await backend.confirmed(ticket) == 0)
    }
  }

  @Test(arguments: [true, false]) func uploadsCanBeCancelled(_ byURL: Bool) async throws {
    try await TestBackend.run { backend in
      let ticket = try await backend.ticket()
      _ = try await backend.put(ticket, "bytes 0-\(quantum - 1)/1000000", pattern(quantum))
      if byURL {
        #expect(try await backend.send("DELETE", ticket.url, body: []).status == 499)
      } else {
        #expect(try await backend.send("POST", "/uploads/\(ticket.id)/cancel", body: []).status == 200)
        #expect(try await backend.send("POST", "/uploads/\(ticket.id)/cancel", body: []).status == 409)
      }
      #expect(try await backend.put(ticket, "bytes */*").status == 499)
      #expect(try await backend.state(ticket.id).status == .cancelled)
      #expect(try FileManager.default.contentsOfDirectory(atPath: backend.folder + "/uploads").isEmpty)
    }
  }

  @Test func uploadURLsExpire() async throws {
    let clock = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
    try await TestBackend.run(options: .init(now: { clock.withLock { $0 } })) { backend in
      let reply = try await backend.open(timeout: 60)
      let ticket = try reply.json(UploadTicket.self)
      #expect(ticket.expiresAt == 1_700_000_060)
      clock.withLock { $0 += 59 }
      #expect(try await backend.put(ticket, "bytes */*").status == 308)
      clock.withLock { $0 += 1 }
      #expect(try await backend.put(ticket, "bytes */*").status == 410)
      #expect(try await backend.state(ticket.id).status == .timedOut)
      #expect(try await backend.send("POST", "/uploads/\(ticket.id)/cancel", body: []).status == 409)
    }
  }

  @Test func onlyAcceptedRequestsGetContinue() async throws {
    try await TestBackend.run { backend in
      let ticket = try await backend.ticket()
      let expect = ["Expect": "100-continue"]
      let reply = try await backend.send("PUT", ticket.url, headers: expect, body: pattern(1000))
      #expect(reply.status == 100 && reply.text.hasPrefix("HTTP/1.1 200 OK"))
      let refused = try await backend.send("PUT", "/upload/\(ticket.id)?token=x", headers: expect, body: pattern(1000))
      #expect(refused.status == 403)
    }
  }
}
