import Crypto
import DurableFiles
import Foundation

/// Mux's signature of a webhook request.
enum MuxSignature {
  /// The value of `Mux-Signature`: the HMAC-SHA256 of the time, a dot and the bytes of the body.
  /// - Parameter seconds: Unix time. Receivers reject signatures that are older than five minutes.
  static func header(of body: some DataProtocol, secret: String, seconds: Int64) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("\(seconds).".utf8) + Data(body), using: SymmetricKey(data: Data(secret.utf8)))
    return "t=\(seconds),v1=\(FileDigest.hexadecimal(code))"
  }
}
