import ClipModel
import Testing

@testable import Upload

@Suite struct ContentRangeTests {
  static let pairs: [(String, ContentRange)] = [
    ("bytes 0-0/1", .bytes(0..<1, total: 1)),
    ("bytes 0-262143/1048576", .bytes(0..<262_144, total: 1_048_576)),
    ("bytes 262144-524287/*", .bytes(262_144..<524_288, total: nil)),
    ("bytes 4294967296-4294967300/4294967301", .bytes(4_294_967_296..<4_294_967_301, total: 4_294_967_301)),
    ("bytes */*", .query(total: nil)),
    ("bytes */1048576", .query(total: 1_048_576)),
  ]

  @Test(arguments: pairs) func contentRangeRoundTrips(text: String, range: ContentRange) {
    #expect(range.description == text)
    #expect(ContentRange(text) == range)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-1", "bytes 1-0/2", "bytes 0-2/2", "bytes -1-2/5", "bytes 0-1/", "bytes 0-1/+5", "bytes */",
    "bytes=0-1/5", "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*", "bytes 0-1/5/6", "bytes 0 - 1/5",
  ]) func invalidContentRangeIsRejected(text: String) {
    #expect(ContentRange(text) == nil)
  }

  static let rangeHeaders: [(String, Int64?)] = [
    ("bytes=0-0", 1), ("bytes=0-262143", 262_144), ("Bytes=0-4294967295", 4_294_967_296), ("bytes=1-5", nil),
    ("bytes 0-5", nil), ("bytes=0-", nil), ("bytes=0-5,7-9", nil), ("0-5", nil),
  ]

  @Test(arguments: rangeHeaders) func storedByteCountIsEndOfRange(header: String, expected: Int64?) {
    #expect(ContentRange.storedByteCount(rangeHeader: header) == expected)
  }
}
