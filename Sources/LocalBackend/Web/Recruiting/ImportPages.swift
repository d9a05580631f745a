#if Recruiting
import ClipModel
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The pages `/schools/import`, `/coaches/import` and `/interactions/import`: a file, a preview, and a confirmation. The
/// form of the preview contains the file, so the server keeps nothing.
struct ImportPages: Sendable {
  let site: RecruitingSite

  func add(to router: Router<BackendContext>) {
    for kind in Kind.allCases {
      router.get("\(kind.rawValue)/import") { request, _ in
        try await site.show(request) { member in
          if kind == .interactions, member.role != .athlete { throw InteractionForms.athletesOnly }
          return page(kind, [:], member)
        }
      }
      router.post("\(kind.rawValue)/import") { request, context in try await submit(kind, request, context) }
    }
  }

  enum Kind: String, CaseIterable {
    case schools, coaches, interactions

    var section: RecruitingSite.Section {
      switch self {
      case .schools: .schools
      case .coaches: .coaches
      case .interactions: .interactions
      }
    }

    var columns: String {
      switch self {
      case .schools: "The column is name; twitter_handle and instagram_handle are optional."
      case .coaches:
        """
        The columns are first_name and last_name, or name; school, role, twitter_handle and instagram_handle are \
        optional. New schools are added.
        """
      case .interactions:
        """
        The columns are type and direction; occurred_at, coach, school, subject, content and sentiment are optional. \
        Coaches and schools must exist.
        """
      }
    }

    func count(_ number: Int) -> String {
      switch self {
      case .schools: PageText.countText(number, "school")
      case .coaches: PageText.countText(number, "coach", plural: "coaches")
      case .interactions: PageText.countText(number, "interaction")
      }
    }
  }

  /// The number of rows that a preview lists per part.
  private static let listedRows = 100

  /// The effect of a file, whatever its rows are.
  struct Preview: Sendable {
    var rows: [(line: Int, text: String)]
    var duplicateLines: [Int]
    var problems: [ImportProblem]
    /// Stores the rows.
    var store: @Sendable () async throws -> Void
  }

  private func submit(_ kind: Kind, _ request: Request, _ context: BackendContext) async throws -> Response {
    let (visitor, fields, file) = try await site.server.site.fileForm(request, context)
    guard let member = try await site.member(visitor, fields["family"], request) else { throw PageFailure.notFound }
    if kind == .interactions, member.role != .athlete { throw InteractionForms.athletesOnly }
    let text = fields["text"] ?? CSVRecord.decode(file ?? [])
    do {
      let preview = try await preview(kind, try Self.table(text), member)
      guard fields["confirm"] == "yes" else { return page(kind, Self.values(preview, text, kind), member) }
      try await preview.store()
      return PageSite.redirect(to: member.path("/\(kind.rawValue)"))
    } catch let problem as FormProblem {
      return page(kind, ["notice": problem.text], member, status: .unprocessableContent)
    } catch let error as RecruitingError {
      return page(kind, ["notice": RecruitingPageTexts.sentence(error)], member, status: .unprocessableContent)
    }
  }

  private static func table(_ text: String) throws -> ImportTable {
    guard !text.utf8.contains(0) else { throw FormProblem(text: "The file is not a text file.") }
    let records: [CSVRecord]
    do throws(CSVRecord.SyntaxError) {
      records = try CSVRecord.parseRecords(in: text, separatedBy: .detect(in: text))
    } catch {
      throw FormProblem(text: "Line \(error.line): \(error.reason).")
    }
    return try ImportTable(records.map { ImportTable.Row(line: $0.line, fields: $0.fields) })
  }

  // MARK: Previews

  private func preview(_ kind: Kind, _ table: ImportTable, _ member: FamilyVisitor) async throws -> Preview {
    switch kind {
    case .schools:
      let found = try table.previewSchools(existing: try await member.schools())
      return Preview(found, text: \.name) { try await Self.insert("schools", $0.map(Self.row), member) }
    case .coaches:
      let found = try table.previewCoaches(existing: try await member.coaches(), schools: try await member.schools())
      return Preview(found, text: { Self.text(of: $0) }, store: { try await Self.store($0, member) })
    case .interactions:
      let existing: [Interaction] = try await member.rows.all(
        "interactions", "select=*&order=id", [member.inFamily, .equals("logged_by", member.user)])
      let (coaches, schools) = (try await member.coaches(), try await member.schools())
      let found = try table.previewInteractions(
        existing: existing, coaches: coaches, schools: schools, in: member.zone)
      let names = coaches.namesByID
      return Preview(
        found, text: { Self.text(of: $0, names, member.zone) },
        store: { try await Self.insert("interactions", $0.map { Self.row($0, member) }, member) })
    }
  }

  private static func text(of coach: ImportedCoach) -> String {
    let details = [coach.role, coach.newSchool.map { "\($0) (new school)" }].compactMap(\.self)
    return (["\(coach.firstName) \(coach.lastName)"] + details).joined(separator: ", ")
  }

  private static func text(
    of entry: ImportedInteraction, _ coaches: [String: String], _ zone: RecruitingTimeZone
  ) -> String {
    [
      "\(entry.type.label) \(entry.direction.label)", entry.subject, entry.coachId.flatMap { coaches[$0] },
      entry.occurredAt.map(zone.label),
    ].compactMap(\.self).joined(separator: ", ")
  }

  // MARK: Storing

  private static func insert(
    _ table: String, _ rows: [[String: DatabaseValue]], _ member: FamilyVisitor
  ) async throws {
    let common = ["family_unit_id": member.family.id.databaseValue]
    try await member.rows.insert(table, rows.map { $0.merging(common) { $1 } })
  }

  private static func row(_ school: ImportedSchool) -> [String: DatabaseValue] {
    [
      "name": school.name.databaseValue, "twitter_handle": value(school.twitterHandle?.name),
      "instagram_handle": value(school.instagramHandle?.name),
    ]
  }

  /// Adds the new schools first. If the import fails afterwards, its next attempt finds them.
  private static func store(_ coaches: [ImportedCoach], _ member: FamilyVisitor) async throws {
    var ids: [String: String] = [:]
    var schools: [[String: DatabaseValue]] = []
    for name in coaches.compactMap(\.newSchool) where ids[name.nameKey] == nil {
      let id = UUID().uuidString.lowercased()
      ids[name.nameKey] = id
      schools.append(["id": id.databaseValue, "name": name.databaseValue])
    }
    try await insert("schools", schools, member)
    let rows: [[String: DatabaseValue]] = coaches.map { coach in
      [
        "first_name": coach.firstName.databaseValue, "last_name": coach.lastName.databaseValue,
        "school_id": value(coach.schoolId ?? coach.newSchool.flatMap { ids[$0.nameKey] }),
        "role": value(coach.role), "twitter_handle": value(coach.twitterHandle?.name),
        "instagram_handle": value(coach.instagramHandle?.name),
      ]
    }
    try await insert("coaches", rows, member)
  }

  private static func row(_ entry: ImportedInteraction, _ member: FamilyVisitor) -> [String: DatabaseValue] {
    [
      "logged_by": member.user.databaseValue, "type": entry.type.rawValue.databaseValue,
      "direction": entry.direction.rawValue.databaseValue, "school_id": value(entry.schoolId),
      "coach_id": value(entry.coachId), "subject": value(entry.subject), "content": value(entry.content),
      "sentiment": value(entry.sentiment?.rawValue), "occurred_at": value(entry.occurredAt.map(timestampText)),
    ]
  }

  private static func value(_ text: String?) -> DatabaseValue { text?.databaseValue ?? .null }

  // MARK: Pages

  private static func values(_ preview: Preview, _ text: String, _ kind: Kind) -> [String: Any?] {
    let (rows, problems) = (preview.rows, preview.problems)
    func more(_ count: Int) -> String? { count > listedRows ? "And \(count - listedRows) more." : nil }
    let lines = preview.duplicateLines.prefix(listedRows).map { "\($0)" }.joined(separator: ", ")
    return [
      "preview": true, "csv": text, "mayImport": !rows.isEmpty, "confirmLabel": "Add \(kind.count(rows.count))",
      "summary": """
      \(kind.count(rows.count)) would be added. \(PageText.countText(preview.duplicateLines.count, "row")) exist \
      already, and \(PageText.countText(problems.count, "row")) would be skipped.
      """,
      "hasProblems": !problems.isEmpty, "moreProblems": more(problems.count),
      "problems": problems.prefix(listedRows).map {
        ["line": $0.line, "reason": RecruitingPageTexts.reason($0.reason)] as [String: Any]
      },
      "hasDuplicates": !preview.duplicateLines.isEmpty,
      "duplicates": "Lines \(lines)\(more(preview.duplicateLines.count).map { ". \($0)" } ?? "")",
      "hasRows": !rows.isEmpty, "moreRows": more(rows.count),
      "rows": rows.prefix(listedRows).map { ["line": $0.line, "text": $0.text] as [String: Any] },
    ]
  }

  private func page(
    _ kind: Kind, _ values: [String: Any?], _ member: FamilyVisitor, status: HTTPResponse.Status = .ok
  ) -> Response {
    let common: [String: Any?] = [
      "title": "Import \(kind.rawValue)", "heading": "Import \(kind.rawValue)", "columns": kind.columns,
      "rowLimit": ImportTable.rowLimit.formatted(.number.locale(Locale(identifier: "en_US"))), "preview": false,
      "action": "/\(kind.rawValue)/import", "cancelPath": member.path("/\(kind.rawValue)"),
    ]
    return site.page("import", kind.section, common.merging(values) { $1 }, member, status: status)
  }
}

extension ImportPages.Preview {
  /// - Parameters:
  ///   - text: describes a row.
  ///   - store: stores all rows.
  fileprivate init<Item>(
    _ found: ImportPreview<Item>, text: (Item) -> String, store: @escaping @Sendable ([Item]) async throws -> Void
  ) {
    rows = found.items.map { ($0.line, text($0.item)) }
    duplicateLines = found.duplicateLines
    problems = found.problems
    let items = found.items.map(\.item)
    self.store = { try await store(items) }
  }
}
#endif
