import Foundation

/// The key of a Supabase project that clients send with every request.
///
/// It opens nothing by itself: what a person may do is in their access token. Keys that open everything are refused.
package struct ProjectKey: Equatable, Sendable {
  /// Goes into `apikey`, and nowhere else.
  package let text: String
  /// An old one is a JWT, and may stand in `Authorization` where nobody is signed in.
  package let isLegacy: Bool

  /// - Throws: `AuthError.keyForServers` for a secret or service key, `.noKey` for something that is no key.
  package init(_ text: String) throws(AuthError) {
    switch text {
    case _ where text.hasPrefix("sb_publishable_"): isLegacy = false
    case _ where text.hasPrefix("sb_secret_"): throw .keyForServers
    default:
      guard let claims = Self.claims(text) else { throw .noKey }
      guard claims["role"] as? String == "anon" else { throw .keyForServers }
      isLegacy = true
    }
    self.text = text
  }

  /// The payload of a JSON Web Token; its signature is the server's business.
  static func claims(_ token: String) -> [String: Any]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var base64 = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let bytes = Data(base64Encoded: String(base64)) else { return nil }
    return try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
  }
}
