import Foundation
import LibCurl
import TestSupport
import Testing

@Suite struct TransferThreadTests {
  @Test(arguments: [HTTPMethod.get, .post, .put, .patch, .delete]) func methodHeadersAndBodyAreSent(
    method: HTTPMethod
  ) async throws {
    let server = try await FaultAPIServer(answers: [.json(207, "hello", headers: ["X-Word": " there "])])
    let body: HTTPBody = method == .get || method == .delete ? .none : .data(Array("body".utf8))
    let response = try await TransferThread().send(
      HTTPRequest(method, url: "\(server.url)/a?b=c", headers: ["X-Test": "yes"], body: body))
    #expect(response.status == 207)
    #expect(response.text == "hello")
    #expect(response.headers["x-WORD"]?.contains("there") == true)
    let request = try #require(server.requests.first)
    #expect(request.method == method.rawValue)
    #expect(request.target == "/a?b=c")
    #expect(request.headers["x-test"] == "yes")
    #expect(request.headers["expect"] == nil)
    if case .none = body { #expect(request.body.isEmpty) } else { #expect(request.body == "body") }
  }

  @Test func emptyBodyHasContentLength() async throws {
    let server = try await FaultAPIServer(answers: [.json(200, "")])
    _ = try await TransferThread().send(HTTPRequest(.post, url: server.url, body: .data([])))
    #expect(server.requests.first?.headers["content-length"] == "0")
  }

  /// Requests to this machine don't use the proxy from the environment.
  @Test func loopbackBypassesProxy() async throws {
    setenv("http_proxy", "http://127.0.0.1:9", 1)
    defer { unsetenv("http_proxy") }
    let server = try await FaultAPIServer(answers: [.json(200, "here")])
    #expect(try await TransferThread().send(HTTPRequest(.get, url: server.url)).text == "here")
    // Nothing listens on port 9, so this request used the proxy.
    let error = await #expect(throws: CurlError.self) {
      _ = try await TransferThread().send(HTTPRequest(.get, url: "http://192.0.2.1/"))
    }
    #expect(error?.code == .connectionRefused)
  }

  @Test func redirectIsNotFollowed() async throws {
    let server = try await FaultAPIServer(answers: [.json(302, "", headers: ["Location": "/elsewhere"])])
    #expect(try await TransferThread().send(HTTPRequest(.get, url: server.url)).status == 302)
    #expect(server.requests.count == 1)
  }

  @Test func tooLongResponseIsTruncated() async throws {
    let server = try await FaultAPIServer(answers: [.json(500, String(repeating: "x", count: 100_000))])
    let response = try await TransferThread().send(
      HTTPRequest(.get, url: server.url, maximumResponseByteCount: 1000))
    #expect(response.status == 500)
    #expect(response.body.count == 1000)
    #expect(response.isBodyTruncated)
  }

  /// libcurl reports success if a connection ends within the headers, because it doesn't know of a body then.
  @Test(arguments: [20, 60]) func responseThatEndsInItsHeadersIsTemporaryError(byteCount: Int) async throws {
    let server = try await FaultAPIServer(answers: [
      .json(200, "[]", headers: ["X-Long": String(repeating: "x", count: 99)])
    ])
    let proxy = try await FaultProxy(to: server.port, faults: [.closeDown(after: byteCount)])
    let thread = try TransferThread()
    let error = await #expect(throws: CurlError.self) {
      _ = try await thread.send(HTTPRequest(.get, url: "http://127.0.0.1:\(proxy.port)/"))
    }
    #expect(error?.isTemporary == true)
    #expect(server.requests.count == 1)
    // The next connection has no fault.
    #expect(try await thread.send(HTTPRequest(.get, url: "http://127.0.0.1:\(proxy.port)/")).text == "[]")
  }

  @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "not a url"]) func unsupportedURLIsPermanentError(
    url: String
  ) async throws {
    let error = await #expect(throws: CurlError.self) {
      _ = try await TransferThread().send(HTTPRequest(.get, url: url))
    }
    #expect(error?.isTemporary == false)
  }

  @Test func readerErrorIsRethrown() async throws {
    struct Unreadable: Error {}
    let server = try await FaultAPIServer(answers: [.json(200, "")])
    await #expect(throws: Unreadable.self) {
      _ = try await TransferThread().send(
        HTTPRequest(
          .put, url: server.url, body: .stream(byteCount: 10) { _, _ in throw Unreadable() }))
    }
  }

  @Test func transfersRunConcurrently() async throws {
    let stalled = try await FaultServer([.init(.stall(after: 0), on: .any, .always)])
    let server = try await FaultAPIServer(answers: [.json(200, "")])
    let thread = try TransferThread()
    let url = stalled.url
    let waiting = Task { try await thread.send(HTTPRequest(.put, url: url, body: .data([1]))) }
    while stalled.requests.isEmpty { await Task.yield() }
    #expect(try await thread.send(HTTPRequest(.get, url: server.url)).status == 200)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func progressEndsAtBodyLength() async throws {
    let server = try await FaultAPIServer(answers: [.json(200, "")])
    let (stream, continuation) = AsyncStream<Int64>.makeStream()
    _ = try await TransferThread().send(
      HTTPRequest(.put, url: server.url, body: .data([UInt8](repeating: 1, count: 3_000_000)))
    ) { continuation.yield($0) }
    continuation.finish()
    var reports: [Int64] = []
    for await report in stream { reports.append(report) }
    #expect(reports.last == 3_000_000)
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// Trap 22: the server refuses the request and stops reading, while the body exceeds the socket's buffers.
  @Test(.timeLimit(.minutes(10)), arguments: [403, 503])
  func earlyResponseIsReadDuringUpload(status: Int) async throws {
    let server = try await FaultServer([.init(.earlyStatus(status))])
    let byteCount: Int64 = 1 << 30
    let body = HTTPBody.stream(byteCount: byteCount) { buffer, _ in
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      return buffer.count
    }
    // A stall would also end the transfer, but only after the test's time limit.
    let options = TransferOptions(stallWindow: .seconds(3600))
    let response = try await TransferThread(options: options).send(
      HTTPRequest(
        .put, url: server.url, headers: ["Content-Range": "bytes 0-\(byteCount - 1)/*"], body: body))
    #expect(response.status == status)
  }
}
