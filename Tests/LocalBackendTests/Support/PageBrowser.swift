import Foundation
import Testing

@testable import LocalBackend

/// A minimal browser that keeps cookies and submits the forms of pages.
final class PageBrowser {
  let backend: TestBackend
  private(set) var cookies: [String: String] = [:]
  /// The values of all `Set-Cookie` headers.
  private(set) var cookieRules: [String] = []

  init(_ backend: TestBackend) { self.backend = backend }

  var origin: String { "http://127.0.0.1:\(backend.server.port)" }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> HTTPReply {
    keep(try await backend.send("GET", path, headers: ["Accept": "text/html"].merging(all(headers)) { $1 }))
  }

  /// Posts a form with the given fields.
  func post(_ path: String, _ fields: [String: String], headers: [String: String] = [:]) async throws -> HTTPReply {
    let body = fields.map { "\($0.key)=\(LocalPath.percentEncoded($0.value))" }.joined(separator: "&")
    return try await post(path, body: Array(body.utf8), type: "application/x-www-form-urlencoded", headers: headers)
  }

  /// Posts a form in any format.
  func post(_ path: String, body: [UInt8], type: String, headers: [String: String] = [:]) async throws -> HTTPReply {
    let usual = ["Accept": "text/html", "Content-Type": type, "Origin": origin, "Sec-Fetch-Site": "same-origin"]
    return keep(try await backend.send("POST", path, headers: usual.merging(all(headers)) { $1 }, body: body))
  }

  /// Loads a page and submits its form with this action.
  func submit(_ action: String, on page: String, _ fields: [String: String] = [:]) async throws -> HTTPReply {
    let text = try await get(page).text
    return try await post(action, try Self.fields(of: action, in: text).merging(fields) { $1 })
  }

  /// The hidden fields of a form, with CRLF line breaks.
  static func fields(of action: String, in page: String) throws -> [String: String] {
    let start = try #require(page.range(of: "action=\"\(action)\""), "no form goes to \(action)")
    let end = try #require(page[start.upperBound...].range(of: "</form>"))
    let form = page[start.upperBound..<end.lowerBound]
    var fields: [String: String] = [:]
    for match in form.matches(of: /<input type="hidden" name="([a-z_]+)" value="([^"]*)"/) {
      var value = String(match.output.2)
      for (entity, text) in [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"), ("\n", "\r\n"),
      ] {
        value = value.replacing(entity, with: text)
      }
      fields[String(match.output.1)] = value
    }
    return fields
  }

  /// Signs in as the owner of the server.
  func enter() async throws {
    let key = OwnerSignInKey.make(ownerToken: backend.server.address.ownerToken, now: Date())
    let reply = try await submit("/enter", on: "/enter?key=\(key)&next=/")
    try #require(reply.status == 303 && reply.headers["location"] == "/")
  }

  func signIn(_ email: String, _ password: String) async throws -> HTTPReply {
    try await submit("/sign-in", on: "/sign-in", ["email": email, "password": password])
  }

  private func all(_ headers: [String: String]) -> [String: String] {
    if cookies.isEmpty { return headers }
    return ["Cookie": cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")].merging(headers) { $1 }
  }

  private func keep(_ reply: HTTPReply) -> HTTPReply {
    guard let rule = reply.headers["set-cookie"] else { return reply }
    cookieRules.append(rule)
    let pair = rule.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if pair.count == 2 { cookies[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1]) }
    return reply
  }
}
