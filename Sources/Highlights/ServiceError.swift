import Foundation
import LibCurl

/// The error in a response body, in the format of PostgREST, Mux, GoTrue or a gateway, or as plain text.
struct ServiceError {
  /// The reason for display, with at most 300 characters and no control characters.
  let reason: String
  /// The PostgreSQL error code (such as `23505` for a unique violation), or the service's error code (such as
  /// `already_registered`).
  let code: String?

  var isAlreadyRegistered: Bool { code == "already_registered" || code == "23505" }

  init(_ response: HTTPResponse) {
    let json = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    let values = [json?["error_code"], json?["code"], (json?["error"] as? [String: Any])?["type"], json?["error"]]
    code = values.lazy.compactMap { $0 as? String }.first
    reason = Self.removeControlCharacters(
      Self.errorMessage(json ?? [:]) ?? Self.plainText(response) ?? "no reason given")
  }

  private static func errorMessage(_ json: [String: Any]) -> String? {
    if let error = json["error"] as? [String: Any] {
      if let messages = error["messages"] as? [String], !messages.isEmpty { return messages.joined(separator: "; ") }
      return error["message"] as? String ?? error["type"] as? String
    }
    let message = ["message", "msg", "error_description", "error"].lazy.compactMap { json[$0] as? String }.first
    let more = ["details", "hint"].compactMap { json[$0] as? String }
    guard let message else { return more.first }
    return more.isEmpty ? message : "\(message) (\(more.joined(separator: "; ")))"
  }

  /// Returns the body as plain text. Ignores HTML pages from gateways, which add nothing to the status.
  private static func plainText(_ response: HTTPResponse) -> String? {
    let text = response.text.trimmingCharacters(in: .whitespacesAndNewlines)
    return ["<", "{", "["].contains(text.prefix(1)) || text.isEmpty ? nil : text
  }

  private static func removeControlCharacters(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) }
    return String(scalars.prefix(300).map(Character.init))
  }
}
