import Foundation
import GRDB
import Hummingbird
import NIOCore

/// The parts that all pages share, such as the visitor, layout and headers.
struct PageSite: Sendable {
  let rows: RowStore
  let callers: CallerIdentity
  let sessions: PageSessions
  let library: PageLibrary
  let hasReports: Bool
  /// Whether the server shows the uploads of its computer.
  let hasUploads: Bool
  let publicURL: URL?

  private static let contentSecurityPolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
    """

  /// The base URL of addresses for other programs, without a slash at its end: the public URL, or else the one that the
  /// visitor uses.
  func baseURL(of request: Request) -> String {
    guard let text = publicURL?.absoluteString else { return request.requestedBaseURL }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  // MARK: Visitors

  func visitor(of request: Request) async throws -> PageVisitor {
    let hasCredentials = CallerIdentity.hasCredentials(request)
    let session = hasCredentials ? nil : try await sessions.session(of: request)
    let caller: Caller
    if let session { caller = .user(session.user) } else { caller = try await callers.caller(of: request) }
    var person: Person?
    var menu = PageVisitor.Menu()
    if let id = caller.userID {
      person = try await PeopleReader(rows: rows).person(id, for: caller)
      menu = try await rows.store.database.read { db in try PageVisitor.Menu(of: id, db) }
    }
    let browser = sessions.browserID(of: request)
    let holder = session?.id ?? browser ?? RandomText.identifier()
    return PageVisitor(
      caller: caller, session: session, isOwner: caller == .localUser && (session != nil || hasCredentials),
      person: person, menu: menu, formToken: sessions.formToken(of: holder),
      newCookie: session == nil && browser == nil ? sessions.browserCookie(holder, request) : nil)
  }

  // MARK: Pages

  /// Renders a page for a visitor.
  /// - Parameter visitor: the visitor. If `nil`, the page contains no name and no forms.
  func page(
    _ template: String, _ values: [String: Any?], _ request: Request, _ visitor: PageVisitor?,
    status: HTTPResponse.Status = .ok
  ) -> Response {
    let person = visitor?.person
    // After signing in, the visitor returns to this path and query.
    let target = request.method == .get ? request.head.path ?? "/" : "/"
    let all: [String: Any?] = [
      "kind": template, "nextQuery": LocalPath.percentEncoded(target), "visitor": person != nil,
      "hasReports": hasReports, "hasUploads": hasUploads,
      "formToken": visitor?.formToken ?? "", "ownName": person?.displayName, "ownPage": person?.page,
      "portraitOfVisitor": person?.avatarValues, "hasSession": visitor?.session != nil,
      "isOwner": visitor?.isOwner, "isModerator": visitor?.menu.isModerator,
      "hasFamily": visitor?.menu.hasFamily, "recruitingPath": visitor?.menu.recruitingPath,
      "unread": visitor.flatMap { $0.menu.unreadCount > 0 ? "\($0.menu.unreadCount)" : nil },
    ]
    var response = Self.html(library.text(template, all.merging(values) { $1 }), status: status)
    // Set the cookie only for GET requests. A form from a different site is sent without the existing cookie, and must
    // not replace it.
    if request.method == .get, let cookie = visitor?.newCookie { response.headers[.setCookie] = cookie }
    return response
  }

  static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    var headers: HTTPFields = [.contentSecurityPolicy: contentSecurityPolicy]
    // The policy `no-referrer` would also hide the origin of submitted forms.
    headers.set("referrer-policy", to: "same-origin")
    return .text(text.utf8, "text/html; charset=utf-8", status: status, headers: headers)
  }

  static func redirect(to path: String, cookie: String? = nil) -> Response {
    var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
    if let cookie { headers[.setCookie] = cookie }
    return Response(status: .seeOther, headers: headers)
  }

  // MARK: Forms

  /// The maximum size of a form in bytes. It allows a percent-encoded interaction of 10,000 characters.
  private static let formLimit = 256 * 1024

  /// Reads the fields of a submitted form.
  /// - Throws: `PageFailure` if the form doesn't come from one of this server's pages.
  func form(_ request: Request, _ context: BackendContext) async throws -> (PageVisitor, fields: [String: String]) {
    let bytes = try await submittedBytes(
      request, context, type: "application/x-www-form-urlencoded", limit: Self.formLimit, limitText: "256 KiB")
    guard let pairs = decodeForm(String(buffer: bytes)) else { throw PageFailure.foreignForm }
    let fields = Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
    return (try await requireOwnForm(fields, request), fields)
  }

  /// Reads a submitted form with a file of at most 4 MiB. Its text fields can be as large, too.
  /// - Throws: `PageFailure` if the form doesn't come from one of this server's pages.
  func fileForm(
    _ request: Request, _ context: BackendContext
  ) async throws -> (PageVisitor, fields: [String: String], file: [UInt8]?) {
    let bytes = try await submittedBytes(
      request, context, type: "multipart/form-data", limit: Self.fileLimit + Self.formLimit, limitText: "4 MiB")
    let type = request.headers[.contentType] ?? ""
    guard let parts = FormPart.parts(of: Array(buffer: bytes), contentType: type) else { throw PageFailure.foreignForm }
    let fields = Dictionary(
      parts.filter { $0.contentType == nil }.map { ($0.name, String(decoding: $0.content, as: UTF8.self)) }
    ) { $1 }
    let visitor = try await requireOwnForm(fields, request)
    return (visitor, fields, parts.first { $0.contentType != nil }.map { Array($0.content) })
  }

  private static let fileLimit = 4 << 20

  private func submittedBytes(
    _ request: Request, _ context: BackendContext, type: String, limit: Int, limitText: String
  ) async throws -> ByteBuffer {
    // `RequestGuard` has already checked `Origin`.
    if let site = request.headers.value(of: "sec-fetch-site"), site != "same-origin" { throw PageFailure.foreignForm }
    guard request.headers[.contentType]?.lowercased().hasPrefix(type) == true else { throw PageFailure.foreignForm }
    return try await context.body(
      of: request, limit: limit,
      excess: PageFailure(
        status: .contentTooLarge, heading: "Request too large", text: "A form can be at most \(limitText)."))
  }

  private func requireOwnForm(_ fields: [String: String], _ request: Request) async throws -> PageVisitor {
    let visitor = try await visitor(of: request)
    // SQLite would silently truncate the text at a NUL character.
    guard fields.values.allSatisfy({ !$0.utf8.contains(0) }) else {
      throw PageFailure(status: .badRequest, heading: "Invalid text", text: "The text must not contain NUL characters.")
    }
    // A visitor who has no cookie hasn't opened any of this server's pages.
    guard visitor.newCookie == nil, let token = fields["token"],
      RandomText.isEqualInConstantTime(token, visitor.formToken)
    else { throw PageFailure.expiredForm }
    return visitor
  }
}

extension Request {
  /// The number of rows before this page, from the query parameter `skip`. Larger numbers than a million mean a million.
  var skippedRowCount: Int {
    uri.queryParameters.get("skip").flatMap { parseDecimal($0) }.map { Int(min($0, 1_000_000)) } ?? 0
  }
}

/// The person who opens a page.
struct PageVisitor: Sendable {
  var caller: Caller
  /// The visitor's session, if a cookie identifies one.
  var session: PageSessions.Session?
  /// Whether the visitor has proved to be the owner. Before the first sign-up, acting as the local user isn't
  /// sufficient proof.
  var isOwner: Bool
  /// The visitor's own profile.
  var person: Person?
  var menu = Menu()
  var formToken: String
  /// The cookie to set if the browser doesn't have one.
  var newCookie: String?

  /// The parts of the account menu that depend on the visitor.
  struct Menu: Sendable {
    /// The number of unread notifications, at most 100.
    var unreadCount = 0
    var isModerator = false
    /// Whether the visitor belongs to a family, and sees the pages of recruiting.
    var hasFamily = false
    /// Whether the visitor is an athlete, who sends highlights to coaches.
    var isAthlete = false

    /// The first page of recruiting; `nil` if the program has none. Without a family, the other pages would be empty.
    var recruitingPath: String? {
      #if Recruiting
      hasFamily ? "/social" : "/family"
      #else
      nil
      #endif
    }
  }

  /// Returns the visitor's account ID.
  /// - Throws: `PageFailure` if the visitor has no account.
  func user() throws(PageFailure) -> String {
    guard let id = caller.userID else { throw .signInRequired }
    return id
  }

  func requireOwner() throws(PageFailure) {
    guard isOwner else { throw .ownerOnly }
  }
}

extension PageVisitor.Menu {
  init(of user: String, _ db: Database) throws {
    unreadCount = try RPCFunction.unreadCount(of: .user(user), db)
    isModerator = try db.hasRow("SELECT 1 FROM moderators WHERE user_id = ?", [user])
    #if Recruiting
    try addFamilies(of: user, db)
    #endif
  }
}

/// Validates and encodes paths on this server.
enum LocalPath {
  /// Returns a safe redirect target. A path that could lead to a different site is replaced with `/`.
  static func redirectTarget(_ text: String?) -> String {
    guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.count <= 2048,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }

  /// Percent-encodes a query value or path component.
  static func percentEncoded(_ text: String) -> String {
    var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
    allowed.insert(charactersIn: "-._~")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}
