import ClipModel
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import LocalBackend

/// Responses that are sent before the body of their request has arrived. A client that sends the whole body first must be able
/// to read them.
@Suite(.timeLimit(.minutes(1))) struct EarlyResponseTests {
  enum Case: String, CaseIterable {
    case complete, malformed, wrongToken, unknownUpload, gap, cancelled, wrongHost, tooLargeRow, noCredentials, noRoute

    var status: Int {
      switch self {
      case .complete: 200
      case .malformed: 400
      case .noCredentials: 401
      case .wrongToken: 403
      case .unknownUpload, .noRoute: 404
      case .tooLargeRow: 413
      case .gap: 416
      case .wrongHost: 421
      case .cancelled: 499
      }
    }
  }

  enum Sending: String, CaseIterable { case closing, keptAlive, expecting }

  /// More bytes than fit in the buffers of a connection.
  private static let byteCount = 24 << 20

  private static func options(_ limits: LingeringClose.Limits = .init()) -> TestBackend.Options {
    TestBackend.Options(change: {
      $0.lingering = limits
      // The idle timeout would hide a connection that is never closed.
      $0.idleTimeoutSeconds = 3600
    })
  }

  @Test(arguments: TestScope.some(4, of: Case.allCases), TestScope.some(2, of: Sending.allCases))
  func aClientThatSendsTheBodyFirstReadsTheResponse(_ expected: Case, _ sending: Sending) async throws {
    try await TestBackend.run(options: Self.options()) { backend in
      let (method, target, headers) = try await request(expected, backend)
      let reply = try await exchange(backend, method, target, headers, sending)
      #expect(reply.status == expected.status)
      #expect(reply.headers["connection"] == "close")
    }
  }

  /// Prepares a request that gets the expected response.
  private func request(
    _ expected: Case, _ backend: TestBackend
  ) async throws -> (method: String, target: String, headers: [String: String]) {
    let ticket = try await backend.ticket()
    let range = "bytes 0-\(Self.byteCount - 1)/\(Self.byteCount)"
    switch expected {
    case .complete: #expect(try await backend.put(ticket, nil, pattern(1000)).status == 200)
    case .cancelled: #expect(try await backend.send("DELETE", ticket.url).status == 499)
    case .malformed: return ("PUT", ticket.url, ["Content-Range": "bytes 0-0/1"])
    case .gap:
      let first = 4 * quantum
      let last = first + Self.byteCount - 1
      return ("PUT", ticket.url, ["Content-Range": "bytes \(first)-\(last)/\(last + 1)"])
    case .wrongToken: return ("PUT", "/upload/\(ticket.id)?token=other", ["Content-Range": range])
    case .unknownUpload: return ("PUT", "/upload/none?token=other", [:])
    case .wrongHost: return ("PUT", ticket.url, ["Host": "evil.example"])
    case .tooLargeRow: return ("POST", "/rest/v1/likes", [:])
    case .noCredentials: return ("POST", "/video/v1/uploads", [:])
    case .noRoute: return ("POST", "/storage/v1/object/videos/a.mp4", [:])
    }
    return ("PUT", ticket.url, ["Content-Range": range])
  }

  private func exchange(
    _ backend: TestBackend, _ method: String, _ target: String, _ headers: [String: String], _ sending: Sending
  ) async throws -> HTTPReply {
    var headers = headers
    headers["Connection"] = sending == .keptAlive ? "keep-alive" : "close"
    if sending == .expecting { headers["Expect"] = "100-continue" }
    let connection = try RawConnection(port: backend.server.port)
    try await connection.send(backend.head(method, target, headers, contentLength: Self.byteCount))
    try await connection.send([UInt8](repeating: 7, count: Self.byteCount))
    return HTTPReply(try await connection.readToEnd())
  }

  @Test func aShortRemainderKeepsTheConnectionOpen() async throws {
    try await TestBackend.run(options: Self.options()) { backend in
      let connection = try RawConnection(port: backend.server.port)
      let refused = backend.head("PUT", "/upload/none?token=x", ["Connection": "keep-alive"], contentLength: 70_000)
      try await connection.send(refused + [UInt8](repeating: 7, count: 70_000))
      try await connection.send(backend.head("GET", "/health", contentLength: nil))
      let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
      #expect(text.matches(of: /HTTP\/1\.1 (\d+)/).map(\.output.1) == ["404", "200"])
    }
  }

  @Test func discardedBytesAreLimited() async throws {
    try await TestBackend.run(options: Self.options(.init(discardedByteCount: 1 << 20))) { backend in
      let connection = try RawConnection(port: backend.server.port)
      try await connection.send(
        backend.head("PUT", "/upload/none?token=x", contentLength: Self.byteCount))
      await #expect(throws: RawConnection.Failure.self) {
        try await connection.send([UInt8](repeating: 7, count: Self.byteCount))
      }
    }
  }

  /// Neither side sends anything, and the client doesn't close its side.
  @Test(arguments: ["PUT /upload/none?token=x", "GET /health"], [0, 1000])
  func anIdleConnectionIsClosed(_ line: String, _ sentByteCount: Int) async throws {
    let words = line.split(separator: " ").map(String.init)
    try await TestBackend.run(options: Self.options(.init(silence: .milliseconds(20)))) { backend in
      let connection = try RawConnection(port: backend.server.port)
      try await connection.send(backend.head(words[0], words[1], contentLength: Self.byteCount))
      try await connection.send([UInt8](repeating: 7, count: sentByteCount))
      let reply = HTTPReply(try await connection.readToEnd())
      #expect(reply.status == (words[0] == "PUT" ? 404 : 200))
    }
  }

  /// Requests after the last one are not answered, and the client can still read the first response.
  @Test func requestsAfterTheLastOneAreIgnored() async throws {
    try await TestBackend.run(options: Self.options()) { backend in
      let connection = try RawConnection(port: backend.server.port)
      let last = backend.head("GET", "/health", ["Connection": "Close"], contentLength: nil)
      try await connection.send(last + backend.head("GET", "/health", contentLength: nil))
      let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
      #expect(text.matches(of: /HTTP\/1\.1 200/).count == 1)
    }
  }
}
