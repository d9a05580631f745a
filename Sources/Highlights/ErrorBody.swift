import Foundation
import LibCurl

/// The reason in a failed answer's body: PostgREST's, ours (Mux's form), GoTrue's, a gateway's, or just text.
struct ErrorBody {
  /// For a person; without controls, at most 300 characters.
  let reason: String
  /// PostgreSQL's code (`23505`, unique violation) or ours (`already_registered`).
  let code: String?

  var isAlreadyRegistered: Bool { code == "already_registered" || code == "23505" }

  init(_ response: HTTPResponse) {
    let json = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    code = json?["code"] as? String ?? (json?["error"] as? [String: Any])?["type"] as? String
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

  /// A gateway's HTML page explains less than its status.
  private static func plainText(_ response: HTTPResponse) -> String? {
    let text = response.text.trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty || text.hasPrefix("<") || text.hasPrefix("{") || text.hasPrefix("[") ? nil : text
  }

  private static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) }
    return String(scalars.prefix(300).map(Character.init))
  }
}
