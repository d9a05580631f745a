import Crypto
import Foundation

/// Proof Key for Code Exchange (RFC 7636): whoever catches the code on its way cannot use it.
package struct CodeChallenge: Sendable {
  /// 43 characters from 32 random bytes. A secret until it is used.
  package let verifier: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    verifier = Self.base64URL(bytes)
  }

  init(verifier: String) { self.verifier = verifier }

  /// What is told in the open: the verifier's SHA-256.
  package var challenge: String { Self.base64URL(SHA256.hash(data: Data(verifier.utf8))) }

  private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
