import Foundation
import Hummingbird

/// What all pages share: who looks at them, the frame around them, their headers.
struct PageSite: Sendable {
  let rows: RowStore
  let callers: CallerIdentity
  let sessions: PageSessions
  let library: PageLibrary
  let hasReports: Bool

  private static let contentSecurityPolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
    """

  // MARK: Who looks

  func visitor(of request: Request) async throws -> PageVisitor {
    let hasCredentials = CallerIdentity.isGiven(in: request)
    let session = hasCredentials ? nil : try await sessions.session(of: request)
    let caller: Caller
    if let session { caller = .user(session.user) } else { caller = try await callers.caller(of: request) }
    var person: Person?
    if let id = caller.userID { person = try await PeopleReader(rows: rows).person(id, for: caller) }
    let browser = sessions.browser(of: request)
    let holder = session?.id ?? browser ?? RandomText.identifier()
    return PageVisitor(
      caller: caller, session: session,
      isOwner: caller == .localUser && (session != nil || hasCredentials),
      person: person,
      formToken: sessions.formToken(of: holder),
      newCookie: session == nil && browser == nil ? sessions.browserCookie(holder, request) : nil)
  }

  // MARK: Pages

  /// - Parameter kind: of the page, for its look.
  func page(
    _ template: String, _ values: [String: Any], _ request: Request, _ visitor: PageVisitor?,
    status: HTTPResponse.Status = .ok
  ) -> Response {
    var all: [String: Any] = [
      "kind": template, "nextQuery": LocalPath.encoded(Self.target(of: request)), "visitor": false,
      "hasReports": hasReports, "formToken": visitor?.formToken ?? "",
    ]
    if let visitor, let person = visitor.person {
      all["visitor"] = true
      all["ownName"] = person.displayName
      all["ownPage"] = person.page
      all["initial"] = person.initial
      all["tint"] = person.tint
      all["hasSession"] = visitor.session != nil
      all["isOwner"] = visitor.isOwner
    }
    var response = Self.html(library.text(template, all.merging(values) { $1 }), status: status)
    // Not for a form of another site: it comes without the cookie that is there.
    if request.method == .get, let cookie = visitor?.newCookie { response.headers[.setCookie] = cookie }
    return response
  }

  static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    var headers: HTTPFields = [.contentSecurityPolicy: contentSecurityPolicy]
    // With no-referrer browsers hide the origin of forms, too.
    headers.set("referrer-policy", to: "same-origin")
    return .text(text.utf8, "text/html; charset=utf-8", status: status, headers: headers)
  }

  static func redirect(to path: String, cookie: String? = nil) -> Response {
    var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
    if let cookie { headers[.setCookie] = cookie }
    return Response(status: .seeOther, headers: headers)
  }

  /// Path and query, as they came.
  private static func target(of request: Request) -> String {
    request.method == .get ? request.head.path ?? "/" : "/"
  }

  // MARK: Forms

  /// 500 characters, each of several code points, in a form's spelling.
  private static let formLimit = 64 * 1024

  /// The fields of a form that one of our pages sent.
  /// - Throws: `PageFailure` for anything else.
  func form(_ request: Request, _ context: BackendContext) async throws -> (PageVisitor, fields: [String: String]) {
    let visitor = try await visitor(of: request)
    // Browsers send where a request comes from; `Origin` was checked before.
    if let site = request.headers.value(of: "sec-fetch-site"), site != "same-origin" { throw PageFailure.foreignForm }
    guard let type = request.headers[.contentType]?.lowercased(), type.hasPrefix("application/x-www-form-urlencoded")
    else { throw PageFailure.foreignForm }
    let bytes = try await context.body(
      of: request, limit: Self.formLimit,
      excess: PageFailure(status: .contentTooLarge, heading: "Too much", text: "That is more than a page may send."))
    var fields: [String: String] = [:]
    for pair in String(buffer: bytes).split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding }
      guard let name = halves[0], let value = halves.count > 1 ? halves[1] : "" else { throw PageFailure.foreignForm }
      // SQLite's text ends there, and the rest would be lost without a word.
      guard !value.contains("\0") else {
        throw PageFailure(status: .badRequest, heading: "Not like that", text: "Text cannot hold a zero byte.")
      }
      fields[name] = value
    }
    // Without a cookie there was no page that this could come from.
    guard visitor.newCookie == nil, let token = fields["token"],
      RandomText.isEqualInConstantTime(token, visitor.formToken)
    else { throw PageFailure.oldForm }
    return (visitor, fields)
  }
}

/// Who looks at a page.
struct PageVisitor: Sendable {
  var caller: Caller
  /// Of the cookie, if that identifies the visitor.
  var session: PageSessions.Session?
  /// Has shown to be whoever runs this server. Before the first sign-up everybody is the local user, and not this.
  var isOwner: Bool
  /// The caller's own profile.
  var person: Person?
  var formToken: String
  /// For a browser that has none yet.
  var newCookie: String?

  /// The account.
  /// - Throws: `PageFailure` for visitors without one.
  func user() throws(PageFailure) -> String {
    guard let id = caller.userID else { throw .signInFirst }
    return id
  }

  func requireOwner() throws(PageFailure) {
    guard isOwner else { throw .owner }
  }
}

/// Paths of this server that come back from a browser.
enum LocalPath {
  /// A path to go on to; anything that could lead elsewhere is the first page.
  static func safe(_ text: String?) -> String {
    guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.count <= 2048,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }

  /// For a query or a part of a path.
  static func encoded(_ text: String) -> String {
    var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
    allowed.insert(charactersIn: "-._~")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}
