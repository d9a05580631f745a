#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The pages `/coaches`, `/coaches/{id}` and their forms.
struct CoachPages: Sendable {
  let site: RecruitingSite

  func add(to router: Router<BackendContext>) {
    router.get("coaches") { request, _ in try await site.show(request) { try await list($0) } }
    router.get("coaches/export.csv") { request, _ in
      try await site.show(request) { member in
        let schools = try await member.schools()
        let text = RecruitingExport.coaches(
          try await member.coaches().filter { $0.archivedAt == nil }, schools: schools.namesByID)
        return TableDownload.response(text, named: "coaches.csv")
      }
    }
    router.get("coaches/add") { request, _ in
      try await site.show(request) { try await form($0, nil, ["school": $0.parameter("school") ?? ""]) }
    }
    router.get("coaches/:id") { request, context in
      try await show(request, context) { try await detail($0, $1) }
    }
    router.get("coaches/:id/edit") { request, context in
      try await show(request, context) { coach, member in try await form(member, coach, [:]) }
    }
    router.post("coaches/add") { request, context in
      let (member, fields) = try await site.form(request, context)
      return try await save(fields, nil, member)
    }
    router.post("coaches/:id/edit") { request, context in
      let (member, fields) = try await site.form(request, context)
      let coach: Coach = try await member.rows.row("coaches", try context.parameters.require("id"))
      return try await save(fields, coach, member)
    }
    router.post("coaches/:id/archive") { request, context in
      try await ArchiveForm.handle("coaches", request, context, site)
    }
  }

  private func show(
    _ request: Request, _ context: BackendContext, _ page: (Coach, FamilyVisitor) async throws -> Response
  ) async throws -> Response {
    try await site.show("coaches", try context.parameters.require("id"), request, family: \Coach.familyUnitId, page)
  }

  private func list(_ member: FamilyVisitor) async throws -> Response {
    let schools = try await member.schools()
    let names = schools.namesByID
    let school = member.parameter("school").flatMap { $0.isEmpty ? nil : $0 }
    let list = PersonList(member, path: "/coaches", others: school.map { [("school", $0)] } ?? [])
    let coaches = try await member.coaches().filter { coach in
      list.shows(coach.archivedAt) && (school == nil || coach.schoolId == school)
        && list.matches(
          [coach.fullName, coach.roleLabel ?? "", coach.schoolId.flatMap { names[$0] } ?? ""]
            + coach.handles.map(\.display))
    }
    let state = RecruitingTexts.EmptyState(
      title: list.isFiltered ? "No coaches match your filters" : "No coaches yet",
      subtitle: list.isFiltered ? "Try adjusting your search or filters" : "Add the coaches that you want to reach",
      action: list.isFiltered ? "Clear Filters" : "Add a coach")
    var values = list.values(
      count: coaches.count, state, symbol: "👤", addPath: member.path("/coaches/add"))
    values["title"] = "Coaches"
    values["importPath"] = member.path("/coaches/import")
    values["exportPath"] = member.path("/coaches/export.csv")
    values["choices"] = [
      RecruitingSite.choices(
        "school", "School", any: "All Schools", schools.filter { $0.archivedAt == nil }.map { ($0.id, $0.name) },
        current: school)
    ]
    values["items"] = coaches[list.range(of: coaches.count)].map { itemValues($0, names, member) }
    return site.page("coaches", .coaches, values, member)
  }

  private func itemValues(_ coach: Coach, _ schools: [String: String], _ member: FamilyVisitor) -> [String: Any] {
    let values: [String: Any?] = [
      "page": "/coaches/\(coach.id)", "coachName": coach.fullName, "roleLabel": coach.roleLabel,
      "schoolName": RecruitingTexts.name(of: coach.schoolId, in: schools, unknown: RecruitingTexts.unknownSchool)
        ?? "No school",
      "handles": RecruitingSite.values(of: coach.handles), "contact": coach.lastContactDate.map(member.zone.label),
      "contactISO": coach.lastContactDate.map(RecruitingDate.format), "profilePath": "/social/coach/\(coach.id)",
      "editPath": "/coaches/\(coach.id)/edit",
    ]
    return values.compactMapValues(\.self)
      .merging(ArchiveForm.values("coaches", coach.id, isArchived: coach.archivedAt != nil)) { $1 }
  }

  private func detail(_ coach: Coach, _ member: FamilyVisitor) async throws -> Response {
    let schools = try await member.schools().namesByID
    var values: [String: Any?] = itemValues(coach, schools, member)
    values["title"] = coach.fullName
    values["isArchived"] = coach.archivedAt != nil
    values["hasHandles"] = !coach.handles.isEmpty
    values["schoolName"] = RecruitingTexts.name(
      of: coach.schoolId, in: schools, unknown: RecruitingTexts.unknownSchool)
    values["schoolPath"] = coach.schoolId.flatMap { schools[$0] == nil ? nil : "/schools/\($0)" }
    values["listPath"] = member.path("/coaches")
    values["mayLog"] = member.role == .athlete
    values["logPath"] = member.path("/interactions/add", [("coach", coach.id)])
    values.merge(try await SentLinks.values(to: coach, member, returningTo: "/coaches/\(coach.id)")) { $1 }
    return site.page("coach", .coaches, values, member)
  }

  // MARK: Forms

  private func form(
    _ member: FamilyVisitor, _ coach: Coach?, _ unsent: [String: String], notice: String? = nil
  ) async throws -> Response {
    let current = unsent["school"] ?? coach?.schoolId ?? ""
    let schools = try await member.schools().filter { $0.archivedAt == nil || $0.id == current }
    return site.page(
      "coachform", .coaches,
      [
        "title": coach == nil ? "Add a coach" : "Edit the coach",
        "heading": coach == nil ? "Add a coach" : "Edit the coach",
        "notice": notice, "action": coach.map { "/coaches/\($0.id)/edit" } ?? "/coaches/add",
        // A form that is sent twice adds one coach.
        "newID": coach == nil ? ChosenID.new() : nil,
        "firstValue": unsent["first"] ?? coach?.firstName ?? "", "lastValue": unsent["last"] ?? coach?.lastName ?? "",
        "roleValue": unsent["role"] ?? coach?.role ?? "",
        "twitterValue": unsent["twitter"] ?? coach?.twitterHandle ?? "",
        "instagramValue": unsent["instagram"] ?? coach?.instagramHandle ?? "",
        "choices": [
          RecruitingSite.choices(
            "school", "School", any: "No school", schools.map { ($0.id, $0.name) }, current: current)
        ],
        "cancelPath": coach.map { "/coaches/\($0.id)" } ?? member.path("/coaches"),
      ], member, status: notice == nil ? .ok : .unprocessableContent)
  }

  private func save(_ fields: [String: String], _ coach: Coach?, _ member: FamilyVisitor) async throws -> Response {
    do {
      let input = FormInput(fields)
      let values: [String: DatabaseValue] = [
        "first_name": try input.required("first", "first name", limit: 100),
        "last_name": try input.required("last", "last name", limit: 100),
        "role": try input.optional("role", "role", limit: 60),
        "school_id": try input.reference("school", among: try await member.schools().map(\.id)),
        "twitter_handle": try input.handle("twitter", on: .twitter),
        "instagram_handle": try input.handle("instagram", on: .instagram),
      ]
      if let coach {
        try await member.rows.update("coaches", coach.id, values)
        return PageSite.redirect(to: "/coaches/\(coach.id)")
      }
      let id = ChosenID.field(fields["id"])
      let new = ["id": id.databaseValue, "family_unit_id": member.family.id.databaseValue]
      try await member.rows.insertOnce("coaches", values.merging(new) { $1 })
      return PageSite.redirect(to: "/coaches/\(id)")
    } catch let problem as FormProblem {
      return try await form(member, coach, fields, notice: problem.text)
    }
  }
}

extension [School] {
  /// The names by ID.
  var namesByID: [String: String] { Dictionary(map { ($0.id, $0.name) }) { $1 } }
}

extension [Coach] {
  /// The full names by ID.
  var namesByID: [String: String] { Dictionary(map { ($0.id, $0.fullName) }) { $1 } }

  /// The options of a selection: the full names, with the names of the schools.
  func options(_ schools: [String: String]) -> [(value: String, text: String)] {
    map { coach in
      (coach.id, coach.schoolId.flatMap { schools[$0] }.map { "\(coach.fullName), \($0)" } ?? coach.fullName)
    }
  }
}

/// A table as a file.
enum TableDownload {
  static func response(_ text: String, named name: String) -> Response {
    var headers: HTTPFields = [:]
    headers.set("content-disposition", to: "attachment; filename=\"\(name)\"")
    // With a byte order mark, spreadsheets read UTF-8.
    return .text("\u{FEFF}\(text)".utf8, "text/csv; charset=utf-8", headers: headers)
  }
}
#endif
