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

  /// The IDs of the rows of an import. A confirmation that is sent twice has the same ones, and adds each row once.
  struct RowIDs: Sendable {
    let family: String
    /// The ID of the import, which the form of the preview contains.
    let form: String

    /// - Parameter part: a part of the file, such as its line.
    func id(of part: String) -> DatabaseValue {
      ChosenID.derived(from: "\(family)/\(form)/\(part)").databaseValue
    }
  }

  private func submit(_ kind: Kind, _ request: Request, _ context: BackendContext) async throws -> Response {
    let (visitor, fields, file) = try await site.server.site.fileForm(request, context)
    guard let member = try await site.member(visitor, fields["family"], request) else { throw PageFailure.notFound }
    if kind == .interactions, member.role != .athlete { throw InteractionForms.athletesOnly }
    let text = fields["text"] ?? CSVRecord.decode(file ?? [])
    let ids = RowIDs(family: member.family.id, form: ChosenID.field(fields["import"]))
    do {
      let preview = try await preview(kind, try Self.table(text), ids, member)
      guard fields["confirm"] == "yes" else {
        return page(kind, Self.values(preview, text, ids, kind), member)
      }
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

  private func preview(
    _ kind: Kind, _ table: ImportTable, _ ids: RowIDs, _ member: FamilyVisitor
  ) async throws -> Preview {
    switch kind {
    case .schools:
      let found = try table.previewSchools(existing: try await member.schools())
      return Preview(found, ids, text: \.name) { try await Self.insert("schools", $0, member, row: Self.row) }
    case .coaches:
      let found = try table.previewCoaches(existing: try await member.coaches(), schools: try await member.schools())
      return Preview(found, ids, text: { Self.text(of: $0) }, store: { try await Self.store($0, ids, member) })
    case .interactions:
      let existing: [Interaction] = try await member.rows.all(
        "interactions", "select=*&order=id", [member.inFamily, .equals("logged_by", member.user)])
      let (coaches, schools) = (try await member.coaches(), try await member.schools())
      let found = try table.previewInteractions(
        existing: existing, coaches: coaches, schools: schools, in: member.zone)
      let names = coaches.namesByID
      return Preview(
        found, ids, text: { Self.text(of: $0, names, member.zone) },
        store: { try await Self.insert("interactions", $0, member) { Self.row($0, member) } })
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

  private static func insert<Item>(
    _ table: String, _ items: [(id: DatabaseValue, item: Item)], _ member: FamilyVisitor,
    row: (Item) -> [String: DatabaseValue]
  ) async throws {
    let family = member.family.id.databaseValue
    try await member.rows.insert(
      table, items.map { row($0.item).merging(["id": $0.id, "family_unit_id": family]) { $1 } })
  }

  private static func row(_ school: ImportedSchool) -> [String: DatabaseValue] {
    [
      "name": school.name.databaseValue, "twitter_handle": value(school.twitterHandle?.name),
      "instagram_handle": value(school.instagramHandle?.name),
    ]
  }

  /// Adds the new schools first. If the import fails afterwards, its next attempt finds them.
  private static func store(
    _ coaches: [(id: DatabaseValue, item: ImportedCoach)], _ ids: RowIDs, _ member: FamilyVisitor
  ) async throws {
    var schools: [(id: DatabaseValue, item: String)] = []
    var names: Set<String> = []
    for name in coaches.compactMap({ $0.item.newSchool }) where names.insert(name.nameKey).inserted {
      schools.append((id: ids.id(of: name.nameKey), item: name))
    }
    try await insert("schools", schools, member) { ["name": $0.databaseValue] }
    try await insert("coaches", coaches, member) { coach in
      let newSchool = coach.newSchool.map { ids.id(of: $0.nameKey) }
      return [
        "first_name": coach.firstName.databaseValue, "last_name": coach.lastName.databaseValue,
        "school_id": newSchool ?? value(coach.schoolId),
        "role": value(coach.role), "twitter_handle": value(coach.twitterHandle?.name),
        "instagram_handle": value(coach.instagramHandle?.name),
      ]
    }
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

  private static func values(_ preview: Preview, _ text: String, _ ids: RowIDs, _ kind: Kind) -> [String: Any?] {
    let (rows, problems) = (preview.rows, preview.problems)
    func more(_ count: Int) -> String? { count > listedRows ? "And \(count - listedRows) more." : nil }
    let lines = preview.duplicateLines.prefix(listedRows).map { "\($0)" }.joined(separator: ", ")
    return [
      "preview": true, "csv": text, "importID": ids.form, "mayImport": !rows.isEmpty,
      "confirmLabel": "Add \(kind.count(rows.count))",
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
  ///   - store: stores all rows with their IDs.
  fileprivate init<Item>(
    _ found: ImportPreview<Item>, _ ids: ImportPages.RowIDs, text: (Item) -> String,
    store: @escaping @Sendable ([(id: DatabaseValue, item: Item)]) async throws -> Void
  ) {
    rows = found.items.map { ($0.line, text($0.item)) }
    duplicateLines = found.duplicateLines
    problems = found.problems
    let items = found.items
    self.store = { try await store(items.map { (id: ids.id(of: "\($0.line)"), item: $0.item) }) }
  }
}
#endif
