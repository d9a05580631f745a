import Foundation

/// The key of a Supabase project that clients send with every request.
///
/// The key alone grants no access to private data; the user's access token does. Keys that bypass all access rules are
/// rejected.
package struct ProjectKey: Equatable, Sendable {
  /// The value of the `apikey` header. Never sent elsewhere.
  package let text: String
  /// Whether the key is a JWT, which may also be sent in `Authorization` when no user is signed in.
  package let isLegacy: Bool

  /// - Throws: `AuthError.serverKey` for a secret or service key, `.invalidKey` for text that isn't a key.
  package init(_ text: String) throws(AuthError) {
    switch text {
    case _ where text.hasPrefix("sb_publishable_"): isLegacy = false
    case _ where text.hasPrefix("sb_secret_"): throw .serverKey
    default:
      guard let claims = Self.claims(text) else { throw .invalidKey }
      guard claims["role"] as? String == "anon" else { throw .serverKey }
      isLegacy = true
    }
    self.text = text
  }

  /// The payload of a JSON Web Token. Doesn't verify the signature; the server does.
  static func claims(_ token: String) -> [String: Any]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var base64 = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let bytes = Data(base64Encoded: String(base64)) else { return nil }
    return try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
  }
}
