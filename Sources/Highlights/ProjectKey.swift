import Foundation

/// A Supabase project key, which clients send with every request.
///
/// The key alone doesn't grant access to private data; that requires the user's access token. Keys that bypass all
/// access rules are rejected.
package struct ProjectKey: Equatable, Sendable {
  /// The value of the `apikey` header. bsc sends the key nowhere else.
  package let text: String
  /// Whether the key is a JWT. A JWT may also be sent in the `Authorization` header when no user is signed in.
  package let isLegacy: Bool

  /// Validates a key.
  /// - Throws: `AuthError.serverKey` for a secret or service key, or `.invalidKey` if the text isn't a valid key.
  package init(_ text: String) throws(AuthError) {
    switch text {
    case _ where text.hasPrefix("sb_publishable_"): isLegacy = false
    case _ where text.hasPrefix("sb_secret_"): throw .serverKey
    default:
      guard let claims = Self.decodeClaims(text) else { throw .invalidKey }
      guard claims["role"] as? String == "anon" else { throw .serverKey }
      isLegacy = true
    }
    self.text = text
  }

  /// Decodes the payload of a JSON Web Token. Only the server verifies the signature.
  static func decodeClaims(_ token: String) -> [String: Any]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var base64 = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let bytes = Data(base64Encoded: String(base64)) else { return nil }
    return try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
  }
}
