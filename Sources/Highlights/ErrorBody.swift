import Foundation
import LibCurl

/// The error in a failed response's body, in the format of PostgREST, Mux, GoTrue or a gateway, or as plain text.
struct ErrorBody {
  /// The reason for display: at most 300 characters, without control characters.
  let reason: String
  /// PostgreSQL's error code (`23505`, unique violation), or the service's (`already_registered`).
  let code: String?

  var isAlreadyRegistered: Bool { code == "already_registered" || code == "23505" }

  init(_ response: HTTPResponse) {
    let json = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    let values = [json?["error_code"], json?["code"], (json?["error"] as? [String: Any])?["type"], json?["error"]]
    code = values.lazy.compactMap { $0 as? String }.first
    reason = Self.printable(Self.text(json ?? [:]) ?? Self.plainText(response) ?? "no reason given")
  }

  private static func text(_ json: [String: Any]) -> String? {
    if let error = json["error"] as? [String: Any] {
      if let messages = error["messages"] as? [String], !messages.isEmpty { return messages.joined(separator: "; ") }
      return error["message"] as? String ?? error["type"] as? String
    }
    let message = ["message", "msg", "error_description", "error"].lazy.compactMap { json[$0] as? String }.first
    let more = ["details", "hint"].compactMap { json[$0] as? String }
    guard let message else { return more.first }
    return more.isEmpty ? message : "\(message) (\(more.joined(separator: "; ")))"
  }

  /// Ignores HTML pages of gateways, which add nothing to the status.
  private static func plainText(_ response: HTTPResponse) -> String? {
    let text = response.text.trimmingCharacters(in: .whitespacesAndNewlines)
    return ["<", "{", "["].contains(text.prefix(1)) || text.isEmpty ? nil : text
  }

  private static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) }
    return String(scalars.prefix(300).map(Character.init))
  }
}
