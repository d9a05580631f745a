#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// What the pages of recruiting share: the visitor's families, the navigation between the pages, and the time zone.
struct RecruitingSite: Sendable {
  let server: ServerDependencies

  private var site: PageSite { server.site }

  /// The pages of recruiting, in the order of the navigation.
  enum Section: String, CaseIterable {
    case posts = "/social"
    case analytics = "/social/analytics"
    case interactions = "/interactions"
    case coaches = "/coaches"
    case schools = "/schools"
    case family = "/family"

    var label: String {
      switch self {
      case .posts: "Posts"
      case .analytics: "Analytics"
      case .interactions: "Interactions"
      case .coaches: "Coaches"
      case .schools: "Schools"
      case .family: "Family"
      }
    }
  }

  // MARK: Visitors

  /// Returns the response of a page, or a redirect for a visitor who has no account or no family.
  /// - Parameter family: the family whose page it is. `nil` selects the one in the address, or else the first one.
  func show(
    _ request: Request, family: String? = nil, _ page: (FamilyVisitor) async throws -> Response
  ) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    guard visitor.caller.userID != nil else { return Self.signIn(request) }
    let wanted = family ?? request.uri.queryParameters.get("family")
    guard let member = try await member(visitor, wanted, request) else { return PageSite.redirect(to: "/family") }
    return try await page(member)
  }

  /// Returns the page of a row, whose family decides which family the page shows.
  func show<Row: Decodable & Sendable>(
    _ table: String, _ id: String, _ request: Request, family: any KeyPath<Row, String> & Sendable,
    _ page: (Row, FamilyVisitor) async throws -> Response
  ) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    guard visitor.caller.userID != nil else { return Self.signIn(request) }
    let row: Row = try await RecruitingRows(server: server, caller: visitor.caller).row(table, id)
    guard let member = try await member(visitor, row[keyPath: family], request) else { throw PageFailure.notFound }
    return try await page(row, member)
  }

  static func signIn(_ request: Request) -> Response {
    PageSite.redirect(to: "/sign-in?next=\(LocalPath.percentEncoded(request.head.path ?? "/"))")
  }

  /// Reads a form of a member, whose family is in the form.
  func form(
    _ request: Request, _ context: BackendContext
  ) async throws -> (member: FamilyVisitor, fields: [String: String]) {
    let (visitor, fields) = try await site.form(request, context)
    _ = try visitor.user()
    guard let member = try await member(visitor, fields["family"], request) else {
      throw PageFailure.notFound
    }
    return (member, fields)
  }

  /// Returns the visitor as a member of a family, or of the first family if none is wanted.
  /// - Returns: `nil` if the visitor has no family.
  /// - Throws: `PageFailure.notFound` if the visitor is not a member of the wanted family.
  func member(_ visitor: PageVisitor, _ wanted: String?, _ request: Request) async throws -> FamilyVisitor? {
    let user = try visitor.user()
    let rows = RecruitingRows(server: server, caller: visitor.caller)
    let units: [FamilyUnit] = try await rows.all("family_units", "select=*&order=created_at,id")
    let roles: [Membership] = try await rows.all(
      "family_members", "select=family_unit_id,role", [.equals("user_id", user)])
    let families = units.compactMap { unit in
      roles.first { $0.familyUnitId == unit.id }.map { (family: unit, role: $0.role) }
    }
    guard let first = families.first else { return nil }
    let chosen = wanted.map { id in families.first { $0.family.id == id.lowercased() } } ?? first
    guard let chosen else { throw PageFailure.notFound }
    let (zone, name) = Self.zone(of: request)
    return FamilyVisitor(
      visitor: visitor, user: user, rows: rows, family: chosen.family, role: chosen.role,
      families: families.map(\.family), zone: zone, zoneName: name, request: request, now: server.now)
  }

  private struct Membership: Decodable, Sendable {
    var familyUnitId: String
    var role: FamilyRole
  }

  /// The browser's time zone, which a script sends as a cookie, or else the server's.
  static func zone(of request: Request) -> (RecruitingTimeZone, name: String) {
    let name = request.cookies["bsc_zone"]?.value ?? ""
    if name.utf8.count <= 64, !name.isEmpty, let zone = try? RecruitingTimeZone(named: name) { return (zone, name) }
    return (RecruitingTimeZone(.current), TimeZone.current.identifier)
  }

  // MARK: Pages

  /// Renders a page for a member.
  func page(
    _ template: String, _ section: Section, _ values: [String: Any?], _ member: FamilyVisitor,
    status: HTTPResponse.Status = .ok
  ) -> Response {
    let common: [String: Any?] = [
      "isRecruiting": true, "zoneName": member.zoneName, "familyID": member.family.id,
      "method": member.request.method.rawValue,
      "sections": Section.allCases.map {
        ["path": member.path($0.rawValue), "label": $0.label, "isCurrent": $0 == section] as [String: Any]
      },
      "hasFamilies": member.families.count > 1,
      "families": member.families.map {
        [
          "path": member.path(section.rawValue, family: $0.id), "label": $0.name,
          "isCurrent": $0.id == member.family.id,
        ] as [String: Any]
      },
      "hidden": member.families.count > 1 ? [["name": "family", "value": member.family.id]] : [],
    ]
    return site.page(template, common.merging(values) { $1 }, member.request, member.visitor, status: status)
  }

  /// The values of the template `nothing`.
  /// - Parameters:
  ///   - path: the page that the state's action opens.
  ///   - form: the ID of the form that the state's action submits.
  static func nothing(
    _ state: RecruitingTexts.EmptyState?, symbol: String, path: String? = nil, form: String? = nil,
    command: String? = nil
  ) -> [String: Any?] {
    [
      "nothing": state != nil, "symbol": symbol, "emptyTitle": state?.title, "emptySubtitle": state?.subtitle,
      "emptyAction": path == nil ? nil : state?.action, "emptyPath": path,
      "emptyForm": form, "emptyFormAction": state?.action, "emptyCommand": command,
    ]
  }

  /// The values of a card of the template `figures`.
  static func card(_ label: String, _ value: String, tone: String, subtitle: String? = nil) -> [String: Any] {
    let values: [String: Any?] = [
      "label": label, "value": value, "tone": tone, "subtitle": subtitle,
      "spoken": AccessibilityLabels.figure(label, value, subtitle: subtitle),
    ]
    return values.compactMapValues(\.self)
  }

  /// The values of the template `choices`.
  static func choices(
    _ name: String, _ label: String, any: String?, _ options: [(value: String, text: String)], current: String?
  ) -> [String: Any] {
    let all = (any.map { [(value: "", text: $0)] } ?? []) + options
    return [
      "name": name, "label": label,
      "options": all.map {
        ["value": $0.value, "text": $0.text, "isCurrent": $0.value == current ?? ""] as [String: Any]
      },
    ]
  }

  /// The values of handles, which are links to other websites.
  static func values(of handles: [SocialHandle]) -> [[String: Any]] {
    handles.map {
      [
        "platform": $0.platform.label, "address": $0.address, "display": $0.display,
        "spoken": AccessibilityLabels.handle($0),
      ]
    }
  }
}

/// A member who opens a page of recruiting, and the family that the page shows.
struct FamilyVisitor: Sendable {
  let visitor: PageVisitor
  /// The account's ID.
  let user: String
  let rows: RecruitingRows
  let family: FamilyUnit
  /// The visitor's role in the family.
  let role: FamilyRole
  /// All families of the visitor.
  let families: [FamilyUnit]
  let zone: RecruitingTimeZone
  let zoneName: String
  let request: Request
  let now: Date

  /// The filter for the rows of the family.
  var inFamily: RowFilter { .equals("family_unit_id", family.id) }

  /// An address that keeps the family if the visitor has several.
  func path(_ path: String, _ query: QueryItems = [], family: String? = nil) -> String {
    var items = query
    if families.count > 1 { items.append(("family", family ?? self.family.id)) }
    let text = items.map { "\($0.name)=\(LocalPath.percentEncoded($0.value))" }.joined(separator: "&")
    return text.isEmpty ? path : "\(path)?\(text)"
  }

  /// The query of the request.
  var query: QueryItems { request.uri.formFields }

  func parameter(_ name: String) -> String? { request.uri.formField(name) }

  // MARK: Names

  func schools() async throws -> [School] {
    try await rows.all("schools", "select=*&order=name,id", [inFamily])
  }

  func coaches() async throws -> [Coach] {
    try await rows.all("coaches", "select=*&order=last_name,first_name,id", [inFamily])
  }

  func people() async throws -> [FamilyMember] { try await rows.rows(of: "family_people", ["family": family.id]) }
}

extension School {
  /// The valid handles, in the order of the platforms.
  var handles: [SocialHandle] {
    [(SocialPlatform.twitter, twitterHandle), (.instagram, instagramHandle)].compactMap { platform, text in
      text.flatMap { try? SocialHandle($0, on: platform) }
    }
  }
}

extension PageVisitor.Menu {
  mutating func addFamilies(of user: String, _ db: Database) throws {
    let roles = try String.fetchSet(db, sql: "SELECT role FROM family_members WHERE user_id = ?", arguments: [user])
    hasFamily = !roles.isEmpty
    isAthlete = roles.contains(FamilyRole.athlete.rawValue)
  }
}
#endif
