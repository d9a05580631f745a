package import Foundation

/// The error in a response's body, in PostgREST's format.
package struct ErrorBody {
  /// The code of PostgreSQL or PostgREST.
  package let code: String?
  package let hint: String?
  /// The reason for display, with at most 300 characters and no control characters.
  package let reason: String

  package init(_ body: Data) {
    let json = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    code = json?["code"] as? String
    hint = json?["hint"] as? String
    let text = json?["message"] as? String ?? "no reason given"
    let scalars = text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) }
    reason = String(String.UnicodeScalarView(scalars.prefix(300)))
  }

  /// Whether the backend has no such function or table, so that it lacks a feature. Otherwise, 404 is a missing row.
  package var isMissingFeature: Bool { code?.hasPrefix("PGRST2") == true || code == "42P01" || code == "42883" }
}
