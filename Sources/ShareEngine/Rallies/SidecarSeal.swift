import DurableFiles
import Foundation

/// A digest of a metadata file that is stored in the file itself, so that files that the user has edited are never
/// overwritten.
enum SidecarSeal {
  /// The key in the `bsc` object.
  static let key = "metadataSHA256"
  /// The value of the key while the digest is computed.
  static let blank = String(repeating: "0", count: 64)

  /// - Parameter bytes: pretty-printed JSON in which the value of `key` is `blank`.
  static func sealed(_ bytes: Data) -> Data {
    guard let range = bytes.range(of: line(blank)) else { return bytes }
    return bytes.replacing(range, with: line(FileDigest.sha256(of: bytes)))
  }

  /// Whether the file is unchanged since it was sealed.
  static func isIntact(_ bytes: Data) -> Bool {
    guard let document = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let digest = (document["bsc"] as? [String: Any])?[key] as? String, let range = bytes.range(of: line(digest))
    else { return false }
    return FileDigest.sha256(of: bytes.replacing(range, with: line(blank))) == digest
  }

  private static func line(_ digest: String) -> Data { Data("\"\(key)\" : \"\(digest)\"".utf8) }
}

extension Data {
  fileprivate func replacing(_ range: Range<Index>, with bytes: Data) -> Data {
    var copy = self
    copy.replaceSubrange(range, with: bytes)
    return copy
  }
}
