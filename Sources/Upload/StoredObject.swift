import ClipModel
import Foundation
import LibCurl

/// The properties that a server reports about a completed upload. Both are optional.
package struct StoredObject: Equatable, Sendable {
  package var byteCount: Int64?
  /// The object's CRC-32C (Castagnoli) checksum.
  package var crc32c: UInt32?

  package init(byteCount: Int64? = nil, crc32c: UInt32? = nil) {
    self.byteCount = byteCount
    self.crc32c = crc32c
  }

  /// Reads the `x-goog-stored-content-length` and `x-goog-hash` headers, or the JSON object in the body.
  /// - Returns: `nil` if a size isn't a number, because the stored size is unknown in that case.
  init?(_ response: HTTPResponse) {
    if let text = response.headers["x-goog-stored-content-length"] {
      guard let count = Int64(digits: text) else { return nil }
      byteCount = count
    }
    // Example: `crc32c=n03x6A==,md5=Ojk9c3dhfxgoKVVHYwFbHQ==`
    let hash = response.headers["x-goog-hash"]?.firstMatch(of: /(?:^|,)\s*crc32c=([^,\s]*)/)
    crc32c = hash.flatMap { Self.decodeChecksum(String($0.1)) }
    guard !response.isBodyTruncated,
      let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    else { return }
    crc32c = crc32c ?? (object["crc32c"] as? String).flatMap(Self.decodeChecksum)
    guard byteCount == nil, let size = object["size"] else { return }
    // Google encodes 64-bit integers as strings; other servers may use numbers.
    guard let count = (size as? String).flatMap({ Int64(digits: $0) }) ?? (size as? Int64), count >= 0 else {
      return nil
    }
    byteCount = count
  }

  /// Decodes a Base64-encoded, big-endian 32-bit checksum.
  private static func decodeChecksum(_ text: String) -> UInt32? {
    guard let bytes = Data(base64Encoded: text), bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
