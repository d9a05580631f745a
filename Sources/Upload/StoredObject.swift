import ClipModel
import Foundation
import LibCurl

/// What a server reports about a complete upload. Both values are optional.
package struct StoredObject: Equatable, Sendable {
  package var byteCount: Int64?
  /// The CRC-32C (Castagnoli) of the object.
  package var crc32c: UInt32?

  package init(byteCount: Int64? = nil, crc32c: UInt32? = nil) {
    self.byteCount = byteCount
    self.crc32c = crc32c
  }

  /// Reads the headers `x-goog-stored-content-length` and `x-goog-hash`, or the object's JSON.
  /// - Returns: `nil` if a size is not a number, because the stored size is then unknown.
  init?(_ response: HTTPResponse) {
    if let text = response.headers["x-goog-stored-content-length"] {
      guard let count = Int64(digits: text) else { return nil }
      byteCount = count
    }
    // `crc32c=n03x6A==,md5=Ojk9c3dhfxgoKVVHYwFbHQ==`
    let hash = response.headers["x-goog-hash"]?.firstMatch(of: /(?:^|,)\s*crc32c=([^,\s]*)/)
    crc32c = hash.flatMap { Self.checksum(String($0.1)) }
    guard !response.isBodyTruncated,
      let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    else { return }
    crc32c = crc32c ?? (object["crc32c"] as? String).flatMap(Self.checksum)
    guard byteCount == nil, let size = object["size"] else { return }
    // Google writes 64-bit numbers as strings; other servers may write numbers.
    guard let count = (size as? String).flatMap({ Int64(digits: $0) }) ?? (size as? Int64), count >= 0 else {
      return nil
    }
    byteCount = count
  }

  /// Decodes the Base64 form of four bytes, most significant byte first.
  private static func checksum(_ text: String) -> UInt32? {
    guard let bytes = Data(base64Encoded: text), bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
