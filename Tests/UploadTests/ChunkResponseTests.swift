import LibCurl
import Testing
import Upload

@Suite struct ChunkResponseTests {
  static let invalidSize = ChunkResponse.violation("")

  static let table: [(HTTPResponse, ChunkResponse)] = [
    (HTTPResponse(status: 200), .complete(StoredObject())),
    (HTTPResponse(status: 201), .complete(StoredObject())),
    (
      HTTPResponse(status: 200, headers: ["X-Goog-Stored-Content-Length": "77"]), .complete(StoredObject(byteCount: 77))
    ),
    (HTTPResponse(status: 200, body: [UInt8](#"{"size":"77"}"#.utf8)), .complete(StoredObject(byteCount: 77))),
    (HTTPResponse(status: 200, body: [UInt8](#"{"size":77}"#.utf8)), .complete(StoredObject(byteCount: 77))),
    (HTTPResponse(status: 200, body: [UInt8]("OK".utf8)), .complete(StoredObject())),
    (
      HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: [UInt8](" <html>Wi-Fi sign in".utf8)),
      .violation("")
    ),
    (HTTPResponse(status: 200, headers: ["Content-Type": "text/html"]), .complete(StoredObject())),
    (HTTPResponse(status: 507), .retry(after: nil, reason: "the server's disk is full (507)", isDiskFull: true)),
    (HTTPResponse(status: 202), .accepted),
    (HTTPResponse(status: 204), .accepted),
    (HTTPResponse(status: 308, headers: ["range": "bytes=0-262143"]), .stored(byteCount: 262_144)),
    (HTTPResponse(status: 308), .storedUnknown),
    (HTTPResponse(status: 401), .expired(status: 401)),
    (HTTPResponse(status: 403), .expired(status: 403)),
    (HTTPResponse(status: 404), .expired(status: 404)),
    (HTTPResponse(status: 410), .expired(status: 410)),
    (HTTPResponse(status: 413, body: [UInt8]("too big".utf8)), .chunkTooLong(reason: "too big")),
    (HTTPResponse(status: 308, headers: ["Location": "/"]), .violation("")),
    (HTTPResponse(status: 200, body: [UInt8](#"{"size":"-5"}"#.utf8)), invalidSize),
    (HTTPResponse(status: 200, body: [UInt8](#"{"size":"99999999999999999999"}"#.utf8)), invalidSize),
    (HTTPResponse(status: 200, headers: ["x-goog-stored-content-length": "a lot"]), invalidSize),
    (
      HTTPResponse(status: 200, headers: ["x-goog-hash": "crc32c=4waSgw==,md5=JfnnlDI7RTiF9RgfG2JNCw=="]),
      .complete(StoredObject(crc32c: 0xE306_9283))
    ),
    (
      HTTPResponse(status: 200, body: [UInt8](#"{"size":"9","crc32c":"4waSgw=="}"#.utf8)),
      .complete(StoredObject(byteCount: 9, crc32c: 0xE306_9283))
    ),
    (HTTPResponse(status: 416), .rangeMismatch),
    (HTTPResponse(status: 499), .cancelled),
    (HTTPResponse(status: 400, body: [UInt8]("bad\u{1B} range".utf8)), .refused(status: 400, reason: "bad range")),
    (HTTPResponse(status: 409), .refused(status: 409, reason: "no reason given")),
    (HTTPResponse(status: 411), .refused(status: 411, reason: "no reason given")),
    (HTTPResponse(status: 412), .refused(status: 412, reason: "no reason given")),
    (HTTPResponse(status: 408), .retry(after: nil, reason: "the server responded with 408")),
    (
      HTTPResponse(status: 429, headers: ["Retry-After": "7"]),
      .retry(after: .seconds(7), reason: "the server responded with 429")
    ),
    (HTTPResponse(status: 500), .retry(after: nil, reason: "the server responded with 500")),
    (HTTPResponse(status: 502), .retry(after: nil, reason: "the server responded with 502")),
    (HTTPResponse(status: 503), .retry(after: nil, reason: "the server responded with 503")),
    (HTTPResponse(status: 504), .retry(after: nil, reason: "the server responded with 504")),
    (HTTPResponse(status: 599), .retry(after: nil, reason: "the server responded with 599")),
    (HTTPResponse(status: 302), .violation("")),
    (
      HTTPResponse(status: 308, headers: ["Range": "bytes=5-9"]),
      .violation("")
    ),
  ]

  @Test(arguments: table) func responseIsClassified(response: HTTPResponse, expected: ChunkResponse) {
    var classified = ChunkResponse(response, now: 0)
    // The text of a violation is for people.
    if case .violation = classified { classified = .violation("") }
    #expect(classified == expected)
  }

  @Test func retryAfterDateIsRelativeToServerDate() {
    let response = HTTPResponse(
      status: 503,
      headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT"])
    #expect(ChunkResponse(response, now: 0) == .retry(after: .seconds(120), reason: "the server responded with 503"))
  }
}
