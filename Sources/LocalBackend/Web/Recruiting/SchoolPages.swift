#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The pages `/schools`, `/schools/{id}` and their forms.
struct SchoolPages: Sendable {
  let site: RecruitingSite

  func add(to router: Router<BackendContext>) {
    router.get("schools") { request, _ in try await site.show(request) { try await list($0) } }
    router.get("schools/add") { request, _ in try await site.show(request) { form($0, nil, [:]) } }
    router.get("schools/:id") { request, context in
      try await show(request, context) { try await detail($0, $1) }
    }
    router.get("schools/:id/edit") { request, context in
      try await show(request, context) { school, member in form(member, school, [:]) }
    }
    router.post("schools/add") { request, context in
      let (member, fields) = try await site.form(request, context)
      return try await save(fields, nil, member)
    }
    router.post("schools/:id/edit") { request, context in
      let (member, fields) = try await site.form(request, context)
      let school: School = try await member.rows.row("schools", try context.parameters.require("id"))
      return try await save(fields, school, member)
    }
    router.post("schools/:id/archive") { request, context in
      try await ArchiveForm.handle("schools", request, context, site)
    }
  }

  private func show(
    _ request: Request, _ context: BackendContext, _ page: (School, FamilyVisitor) async throws -> Response
  ) async throws -> Response {
    try await site.show(
      "schools", try context.parameters.require("id"), request, family: \School.familyUnitId, page)
  }

  private func list(_ member: FamilyVisitor) async throws -> Response {
    let coaches = try await member.coaches()
    let counts = Dictionary(grouping: coaches.filter { $0.archivedAt == nil }) { $0.schoolId }.mapValues(\.count)
    let list = PersonList(member, path: "/schools")
    let schools = try await member.schools().filter {
      list.shows($0.archivedAt) && list.matches([$0.name] + $0.handles.map(\.display))
    }
    let state = RecruitingTexts.EmptyState(
      title: list.isFiltered ? "No schools match your search" : "No schools yet",
      subtitle: list.isFiltered ? "Try another name" : "Add the college programs that you follow",
      action: list.isFiltered ? "Show all schools" : "Add a school")
    var values = list.values(
      count: schools.count, state, symbol: "🏫", addPath: member.path("/schools/add"))
    values["title"] = "Schools"
    values["importPath"] = member.path("/schools/import")
    values["items"] = schools[list.range(of: schools.count)].map { school in
      [
        "page": "/schools/\(school.id)", "name": school.name, "handles": RecruitingSite.values(of: school.handles),
        "coachCount": PageText.countText(counts[school.id] ?? 0, "coach", plural: "coaches"),
        "editPath": "/schools/\(school.id)/edit",
      ].merging(ArchiveForm.values("schools", school.id, isArchived: school.archivedAt != nil)) { $1 } as [String: Any]
    }
    return site.page("schools", .schools, values, member)
  }

  private func detail(_ school: School, _ member: FamilyVisitor) async throws -> Response {
    let coaches = try await member.coaches().filter { $0.schoolId == school.id && $0.archivedAt == nil }
    let handles = school.handles
    return site.page(
      "school", .schools,
      [
        "title": school.name, "name": school.name, "isArchived": school.archivedAt != nil,
        "hasHandles": !handles.isEmpty, "handles": RecruitingSite.values(of: handles),
        "listPath": member.path("/schools"), "editPath": "/schools/\(school.id)/edit",
        "postsPath": member.path("/social", [("school", school.id)]),
        "addPath": member.path("/coaches/add", [("school", school.id)]), "hasItems": !coaches.isEmpty,
        "items": coaches.map { coach in
          let values: [String: Any?] = [
            "page": "/coaches/\(coach.id)", "coachName": coach.fullName, "roleLabel": coach.roleLabel,
          ]
          return values.compactMapValues(\.self)
        },
      ], member)
  }

  // MARK: Forms

  private func form(
    _ member: FamilyVisitor, _ school: School?, _ unsent: [String: String], notice: String? = nil
  ) -> Response {
    site.page(
      "schoolform", .schools,
      [
        "title": school == nil ? "Add a school" : "Edit the school",
        "heading": school == nil ? "Add a school" : "Edit the school",
        "notice": notice, "action": school.map { "/schools/\($0.id)/edit" } ?? "/schools/add",
        // A form that is sent twice adds one school.
        "newID": school == nil ? ChosenID.new() : nil,
        "nameValue": unsent["name"] ?? school?.name ?? "",
        "twitterValue": unsent["twitter"] ?? school?.twitterHandle ?? "",
        "instagramValue": unsent["instagram"] ?? school?.instagramHandle ?? "",
        "cancelPath": school.map { "/schools/\($0.id)" } ?? member.path("/schools"),
      ], member, status: notice == nil ? .ok : .unprocessableContent)
  }

  private func save(_ fields: [String: String], _ school: School?, _ member: FamilyVisitor) async throws -> Response {
    do {
      let input = FormInput(fields)
      let values: [String: DatabaseValue] = [
        "name": try input.required("name", "name", limit: 200),
        "twitter_handle": try input.handle("twitter", on: .twitter),
        "instagram_handle": try input.handle("instagram", on: .instagram),
      ]
      if let school {
        try await member.rows.update("schools", school.id, values)
        return PageSite.redirect(to: "/schools/\(school.id)")
      }
      let id = ChosenID.field(fields["id"])
      let new = ["id": id.databaseValue, "family_unit_id": member.family.id.databaseValue]
      try await member.rows.insertOnce("schools", values.merging(new) { $1 })
      return PageSite.redirect(to: "/schools/\(id)")
    } catch let problem as FormProblem {
      return form(member, school, fields, notice: problem.text)
    }
  }
}

/// A list of schools or coaches, which the address filters.
struct PersonList: Sendable {
  let search: String
  let isArchive: Bool
  private let member: FamilyVisitor
  private let path: String
  private let query: QueryItems
  private let start: Int

  static let pageSize = 100

  /// - Parameter others: further filters that are set.
  init(_ member: FamilyVisitor, path: String, others: QueryItems = []) {
    self.member = member
    self.path = path
    search = String((member.parameter("q") ?? "").trimmingCharacters(in: .whitespacesAndNewlines).prefix(200))
    isArchive = member.parameter("archived") == "1"
    query = (search.isEmpty ? [] : [("q", search)]) + others
    start = member.request.skippedRowCount
  }

  var isFiltered: Bool { !query.isEmpty }

  func shows(_ archivedAt: Date?) -> Bool { (archivedAt != nil) == isArchive }

  func matches(_ texts: [String]) -> Bool {
    search.isEmpty || texts.contains { $0.lowercased().contains(search.lowercased()) }
  }

  func range(of count: Int) -> Range<Int> { min(start, count)..<min(start + Self.pageSize, count) }

  /// The values that the templates `schools` and `coaches` share.
  func values(
    count: Int, _ state: RecruitingTexts.EmptyState, symbol: String, addPath: String
  ) -> [String: Any?] {
    let next = start + Self.pageSize
    let archive: QueryItems = isArchive ? [("archived", "1")] : []
    // The archive has nothing to add to.
    let nothing: RecruitingTexts.EmptyState? =
      count > 0
      ? nil
      : isArchive && !isFiltered ? .init(title: "Nothing is archived", subtitle: "", action: nil) : state
    let values: [String: Any?] = [
      "search": search, "isFiltered": isFiltered, "isArchive": isArchive, "plainPath": member.path(path, query),
      "archivePath": member.path(path, query + [("archived", "1")]), "addPath": addPath, "hasItems": count > 0,
      "older": next < count ? member.path(path, query + archive + [("skip", "\(next)")]) : nil,
      "hidden": ((member.families.count > 1 ? [("family", member.family.id)] : []) + archive)
        .map { ["name": $0.0, "value": $0.1] },
    ]
    return values.merging(
      RecruitingSite.nothing(nothing, symbol: symbol, path: isFiltered ? member.path(path) : addPath)
    ) { $1 }
  }
}

/// The form that archives a school or a coach, or restores it.
enum ArchiveForm {
  static func values(_ table: String, _ id: String, isArchived: Bool) -> [String: Any] {
    [
      "archiveForm": "/\(table)/\(id)/archive", "archiveValue": isArchived ? "0" : "1",
      "archiveWord": isArchived ? "Restore" : "Archive",
    ]
  }

  static func handle(
    _ table: String, _ request: Request, _ context: BackendContext, _ site: RecruitingSite
  ) async throws -> Response {
    let (member, fields) = try await site.form(request, context)
    let time = fields["on"] == "1" ? timestampText(member.now).databaseValue : .null
    try await member.rows.update(table, try context.parameters.require("id"), ["archived_at": time])
    return PageSite.redirect(to: member.path("/\(table)"))
  }
}
#endif
