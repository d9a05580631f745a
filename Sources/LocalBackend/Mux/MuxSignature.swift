import Crypto
import DurableFiles
import Foundation

/// Signs webhook requests as Mux does.
enum MuxSignature {
  /// Returns the value of the header `Mux-Signature`: the HMAC-SHA256 of the time, a period and the request body.
  /// - Parameter seconds: the current time in Unix seconds. Receivers reject signatures that are more than five minutes
  ///   old.
  static func header(of body: some DataProtocol, secret: String, seconds: Int64) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("\(seconds).".utf8) + Data(body), using: SymmetricKey(data: Data(secret.utf8)))
    return "t=\(seconds),v1=\(FileDigest.hexadecimal(code))"
  }
}
