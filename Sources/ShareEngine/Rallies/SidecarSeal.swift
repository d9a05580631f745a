import DurableFiles
import Foundation

/// The digest that a file of metadata holds of itself, so that what somebody changed by hand is never written over.
enum SidecarSeal {
  /// Among the keys of the `bsc` object.
  static let key = "metadataSHA256"
  /// Stands in the place of the digest while it is calculated.
  static let blank = String(repeating: "0", count: 64)

  /// - Parameter bytes: pretty-printed JSON with `blank` under `key`.
  static func sealed(_ bytes: Data) -> Data {
    guard let range = bytes.range(of: line(blank)) else { return bytes }
    return bytes.replacing(range, with: line(FileDigest.sha256(of: bytes)))
  }

  /// Nobody has changed a byte since it was sealed.
  static func isWhole(_ bytes: Data) -> Bool {
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
