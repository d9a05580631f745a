import ClipModel
import Foundation
import LibCurl

/// What a server tells of a finished upload: all of it may be missing.
package struct StoredObject: Equatable, Sendable {
  package var byteCount: Int64?
  /// Castagnoli's CRC of the whole object.
  package var crc32c: UInt32?

  package init(byteCount: Int64? = nil, crc32c: UInt32? = nil) {
    self.byteCount = byteCount
    self.crc32c = crc32c
  }

  /// From the headers `x-goog-stored-content-length` and `x-goog-hash`, or the object's JSON.
  /// - Returns: `nil` when a size is told that is no number: then nobody knows what is stored.
  init?(_ response: HTTPResponse) {
    if let text = response.headers["x-goog-stored-content-length"] {
      guard let count = Int64(digits: text) else { return nil }
      byteCount = count
    }
    // `crc32c=n03x6A==,md5=Ojk9c3dhfxgoKVVHYwFbHQ==`
    for part in (response.headers["x-goog-hash"] ?? "").split(separator: ",") {
      let text = part.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("crc32c=") { crc32c = Self.checksum(String(text.dropFirst("crc32c=".count))) }
    }
    guard !response.isBodyTruncated,
      let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    else { return }
    crc32c = crc32c ?? (object["crc32c"] as? String).flatMap(Self.checksum)
    guard byteCount == nil, let size = object["size"] else { return }
    // Google sends 64-bit numbers as text; others may send a number.
    guard let count = (size as? String).flatMap({ Int64(digits: $0) }) ?? (size as? Int64), count >= 0 else {
      return nil
    }
    byteCount = count
  }

  /// Base64 of 4 bytes, the most significant first.
  private static func checksum(_ text: String) -> UInt32? {
    guard let bytes = Data(base64Encoded: text), bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
