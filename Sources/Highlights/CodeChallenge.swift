import Crypto
import Foundation

/// Proof Key for Code Exchange (RFC 7636): an intercepted authorization code is useless without the verifier.
package struct CodeChallenge: Sendable {
  /// 43 characters from 32 random bytes. A secret until it is used.
  package let verifier: String

  package init() { self.init(verifier: Self.base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max) })) }

  init(verifier: String) { self.verifier = verifier }

  /// The SHA-256 of the verifier, which is sent in the clear.
  package var challenge: String { Self.base64URL(SHA256.hash(data: Data(verifier.utf8))) }

  private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
