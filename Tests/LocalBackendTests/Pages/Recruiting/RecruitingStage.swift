import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// A server with a family: Ann is the parent, and the owner of the server is the athlete, who has shared a highlight.
struct RecruitingStage {
  let backend: TestBackend
  let parent: PageBrowser
  let athlete: PageBrowser
  /// An account that belongs to no family.
  let stranger: PageBrowser
  let family: String
  let highlight: String

  static let publicBase = "https://highlights.example.org"

  static func run(
    options: TestBackend.Options = TestBackend.Options(), _ test: (RecruitingStage) async throws -> Void
  ) async throws {
    var options = options
    let change = options.change
    options.change = { configuration in
      configuration.publicURL = URL(string: publicBase)
      change(&configuration)
    }
    try await TestBackend.run(options: options) { backend in
      let highlight = try await backend.publish(pattern(100))
      let (parent, athlete, stranger) = (PageBrowser(backend), PageBrowser(backend), PageBrowser(backend))
      try await athlete.enter()
      for (browser, email) in [(parent, "ann@example.org"), (stranger, "eve@example.org")] {
        _ = try await AuthRoutesTests.signUp(backend, email, password: PageReactionTests.password)
        #expect(try await browser.signIn(email, PageReactionTests.password).status == 303)
      }
      let created = try await parent.submit("/family/create", on: "/family", ["name": "Möller", "role": "parent"])
      let family = try #require(created.headers["location"]?.split(separator: "=").last)
      let code = try await invite(parent, role: "athlete")
      #expect(try await athlete.submit("/family/join", on: "/family", ["code": code]).status == 303)
      try await test(
        RecruitingStage(
          backend: backend, parent: parent, athlete: athlete, stranger: stranger, family: String(family),
          highlight: highlight.id.uuidString.lowercased()))
    }
  }

  /// Creates an invitation.
  /// - Returns: its code, which the page shows once.
  static func invite(_ browser: PageBrowser, role: String) async throws -> String {
    let reply = try await browser.submit("/family/invite", on: "/family", ["role": role, "days": "7"])
    #expect(reply.status == 200)
    let match = try #require(reply.text.firstMatch(of: /id="code">([0-9A-Z-]{14})</))
    return String(match.output.1)
  }

  func addSchool(_ name: String) async throws -> String {
    try await add("/schools/add", ["name": name])
  }

  func addCoach(_ first: String, _ last: String, _ fields: [String: String] = [:]) async throws -> String {
    try await add("/coaches/add", ["first": first, "last": last].merging(fields) { $1 })
  }

  func log(_ fields: [String: String]) async throws -> String {
    try await add("/interactions/add", ["type": "email", "direction": "outbound"].merging(fields) { $1 })
  }

  /// The IDs of the rows in a table that the athlete can see.
  func ids(in table: String) async throws -> [String] {
    let reply = try await backend.send(
      "GET", "/rest/v1/\(table)?select=id", headers: AuthRoutesTests.bearer(backend.server.address.ownerToken))
    let rows: [[String: String]] = try reply.json()
    return rows.compactMap { $0["id"] }
  }

  /// Submits a form of the athlete.
  /// - Returns: the ID at the end of the address to which it leads.
  private func add(_ form: String, _ fields: [String: String]) async throws -> String {
    let reply = try await athlete.submit(form, on: form, fields)
    try #require(reply.status == 303, "\(reply.status): \(reply.text)")
    return String(try #require(reply.headers["location"]?.split(separator: "/").last))
  }

  /// The JSON of a post.
  static func post(
    _ number: Int, _ content: String = "x", platform: String = "twitter", handle: String = "coachsmith",
    sentiment: String? = nil, recruiting: Bool = false, date: String = Date().formatted(.iso8601)
  ) -> String {
    let address =
      platform == "twitter" ? "https://twitter.com/\(handle)/status/\(number)" : "https://instagram.com/p/C\(number)"
    return """
      {"platform": "\(platform)", "post_url": "\(address)",
       "post_content": "\(content.replacingOccurrences(of: "\n", with: "\\n"))", "post_date": "\(date)",
       "author_handle": "\(handle)", "author_name": "Author \(handle)", "is_recruiting_related": \(recruiting),
       "sentiment": \(sentiment.map { "\"\($0)\"" } ?? "null")}
      """
  }

  /// Adds posts like a sync does.
  func ingest(_ posts: String) async throws {
    let reply = try await backend.send(
      "POST", "/rest/v1/rpc/ingest_posts",
      headers: AuthRoutesTests.bearer(backend.server.address.ownerToken),
      body: Array(#"{"family": "\#(family)", "posts": \#(posts)}"#.utf8))
    try #require(reply.status == 200, "\(reply.text)")
  }

  /// Sends a file, or a confirmed preview, to an import.
  /// - Parameter preview: the page of the preview. `nil` loads the page of the import.
  func upload(
    _ page: String, file: String? = nil, text: String? = nil, preview: String? = nil
  ) async throws -> HTTPReply {
    var form = preview ?? ""
    if preview == nil { form = try await athlete.get(page).text }
    var fields = try PageBrowser.fields(of: page, in: form)
    if let text { fields.merge(["text": text, "confirm": "yes"]) { $1 } }
    var body = fields.map { name, value in
      "--edge\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }.joined()
    if let file {
      body += """
        --edge\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\n\
        \(file)\r\n
        """
    }
    return try await athlete.post(
      page, body: Array((body + "--edge--\r\n").utf8), type: "multipart/form-data; boundary=edge")
  }
}
