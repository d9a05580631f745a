import DurableFiles
import Foundation

/// A digest of a metadata file that is stored in the file itself. It prevents bsc from overwriting files that the user
/// has edited.
enum SidecarDigest {
  /// The digest's key in the `bsc` object.
  static let key = "metadataSHA256"
  /// The placeholder for the digest while it is computed.
  static let blank = String(repeating: "0", count: 64)

  /// - Parameter bytes: pretty-printed JSON in which the value for `key` is `blank`.
  static func seal(_ bytes: Data) -> Data {
    guard let range = bytes.range(of: digestLine(blank)) else { return bytes }
    return bytes.replacingRange(range, with: digestLine(FileDigest.sha256(of: bytes)))
  }

  /// Whether the file is unchanged since bsc sealed it.
  static func isIntact(_ bytes: Data) -> Bool {
    guard let document = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let digest = (document["bsc"] as? [String: Any])?[key] as? String, let range = bytes.range(of: digestLine(digest))
    else { return false }
    return FileDigest.sha256(of: bytes.replacingRange(range, with: digestLine(blank))) == digest
  }

  private static func digestLine(_ digest: String) -> Data { Data("\"\(key)\" : \"\(digest)\"".utf8) }
}

extension Data {
  fileprivate func replacingRange(_ range: Range<Index>, with bytes: Data) -> Data {
    var copy = self
    copy.replaceSubrange(range, with: bytes)
    return copy
  }
}
