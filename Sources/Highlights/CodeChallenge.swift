import Crypto
import Foundation

/// Implements Proof Key for Code Exchange (RFC 7636): an intercepted authorization code is useless without the
/// verifier.
package struct CodeChallenge: Sendable {
  /// The verifier: 43 characters that encode 32 random bytes. It must stay secret until it's used.
  package let verifier: String

  package init() { self.init(verifier: Self.encodeBase64URL((0..<32).map { _ in UInt8.random(in: .min ... .max) })) }

  init(verifier: String) { self.verifier = verifier }

  /// The SHA-256 hash of the verifier, which may be public.
  package var challenge: String { Self.encodeBase64URL(SHA256.hash(data: Data(verifier.utf8))) }

  private static func encodeBase64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
