import Crypto
import DurableFiles
import Foundation

/// How Mux signs what it sends to a webhook.
enum MuxSignature {
  /// The value of `Mux-Signature`: HMAC-SHA256 of the time, a dot and the body's bytes.
  /// - Parameter seconds: Unix time; receivers refuse what is older than five minutes.
  static func header(of body: some DataProtocol, secret: String, seconds: Int64) -> String {
    var hash = HMAC<SHA256>(key: SymmetricKey(data: Data(secret.utf8)))
    hash.update(data: Data("\(seconds).".utf8))
    hash.update(data: body)
    return "t=\(seconds),v1=\(FileDigest.hexadecimal(hash.finalize()))"
  }
}
