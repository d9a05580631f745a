#if Recruiting
import ClipModel
import DurableFiles
import Foundation
import Hummingbird
import Recruiting
import Synchronization
import TablePDF

/// The pages `/interactions` and `/interactions/{id}`.
struct InteractionPages: Sendable {
  let site: RecruitingSite

  private static let pageSize = 50

  func add(to router: Router<BackendContext>) {
    router.get("interactions") { request, _ in try await site.show(request) { try await list($0) } }
    router.get("interactions/export.csv") { request, _ in
      try await site.show(request) { member in
        let names = try await InteractionNames(member)
        let text = RecruitingExport.interactions(
          try await Self.filtered(try filter(member), member), schools: names.schools, coaches: names.coaches,
          people: names.people, in: member.zone)
        return TableDownload.response(text, named: "interactions.csv")
      }
    }
    router.get("interactions/export.pdf") { request, _ in
      try await site.show(request) { try await document($0) }
    }
    router.get("interactions/:id") { request, context in
      try await site.show(
        "interactions", try context.parameters.require("id"), request, family: \FamilyInteraction.familyUnitId
      ) { try await detail($0.interaction, $1) }
    }
    InteractionFiles(site: site).add(to: router)
    router.post("interactions/:id/delete") { request, context in
      let id = try ReactionRoutes.identifier(try context.parameters.require("id"))
      let (member, _) = try await site.form(request, context)
      do {
        _ = try await member.rows.call("cascade_delete_interaction", ["id": id, "confirm_delete": "true"])
      } catch let failure as PostgRESTFailure where failure.code == "PT404" {
        throw PageFailure.notFound
      }
      return PageSite.redirect(to: member.path("/interactions"))
    }
  }

  /// The filters of the address. Only a parent filters by the member who logged an interaction.
  private func filter(_ member: FamilyVisitor) throws -> InteractionFilter {
    var filter = try RecruitingFilterFailure.converting { () throws(RecruitingError) in
      try InteractionFilter(query: member.query)
    }
    filter.search = String(filter.search.prefix(200))
    if member.role == .athlete { filter.loggedBy = nil }
    return filter
  }

  /// All interactions that match, the newest first. The list pages afterwards, so that its figures are those of all.
  private static func filtered(_ filter: InteractionFilter, _ member: FamilyVisitor) async throws -> [Interaction] {
    let all: [Interaction] = try await member.rows.all(
      "interactions", "select=*&order=display_at.desc,id", [member.inFamily])
    return filter.apply(to: all, now: member.now, in: member.zone)
  }

  private func list(_ member: FamilyVisitor) async throws -> Response {
    let filter = try filter(member)
    let names = try await InteractionNames(member)
    let found = try await Self.filtered(filter, member)
    let rest = PageCursor(member.parameter("before")).map { Self.entries(of: found, after: $0) } ?? found[...]
    let shown = rest.prefix(Self.pageSize)
    let last = shown.count < rest.count ? shown.last : nil
    let isAthlete = member.role == .athlete
    let state =
      !found.isEmpty
      ? nil : filter.isActive ? RecruitingTexts.noMatchingInteractions : RecruitingTexts.noInteractions
    var values: [String: Any?] = [
      "title": isAthlete ? "My Interactions" : "Interactions",
      "heading": isAthlete ? "My Interactions" : "Interactions",
      "mayLog": isAthlete, "addPath": member.path("/interactions/add"),
      "importPath": member.path("/interactions/import"),
      "exportPath": member.path("/interactions/export.csv", filter.query),
      "documents": TableDocument.Paper.allCases.map { paper in
        [
          "label": paper == .letter ? "PDF (Letter)" : "PDF (A4)",
          "path": member.path("/interactions/export.pdf", filter.query + [("paper", paper.rawValue)]),
        ]
      },
      "privacyNotice": isAthlete ? RecruitingTexts.privacyNotice : nil, "search": filter.search,
      "choices": choices(filter, names, member),
      "hasItems": !shown.isEmpty, "items": shown.map { Self.values(of: $0, names, member) },
      "found": found.isEmpty ? nil : RecruitingTexts.interactionsFound(found.count),
      "older": last.map { member.path("/interactions", filter.query + [("before", Self.cursor(at: $0).text)]) },
    ]
    values.merge(Self.figureValues(InteractionFigures(found, now: member.now, in: member.zone))) { $1 }
    values.merge(chipValues(filter, names, member)) { $1 }
    let path = filter.isActive ? member.path("/interactions") : isAthlete ? member.path("/interactions/add") : nil
    values.merge(RecruitingSite.nothing(state, symbol: filter.isActive ? "🔍" : "💬", path: path)) { $1 }
    return site.page("interactions", .interactions, values, member)
  }

  /// The position of an interaction in the list. The half microsecond rounds its date to the stored time.
  private static func cursor(at entry: Interaction) -> PageCursor {
    PageCursor(createdAt: timestampText(entry.displayDate.addingTimeInterval(0.000_000_5)), id: entry.id)
  }

  /// The interactions after a position, also if the one at the position no longer exists.
  private static func entries(of sorted: [Interaction], after cursor: PageCursor) -> ArraySlice<Interaction> {
    func microseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }
    let limit = RecruitingDate.parse(cursor.createdAt).map(microseconds) ?? .max
    return sorted.drop { entry in
      let time = microseconds(entry.displayDate)
      return time > limit || time == limit && entry.id <= cursor.id
    }
  }

  // MARK: PDF

  /// Renders one document at a time, because long lists take seconds and memory.
  private static let rendering = Mutex(())
  /// The maximum number of interactions in a document, which renders in about 5 s.
  private static let documentLimit = 5_000

  /// Responds with the list as a PDF on `?paper=letter` or `?paper=a4`.
  private func document(_ member: FamilyVisitor) async throws -> Response {
    let name = member.parameter("paper") ?? TableDocument.Paper.letter.rawValue
    guard let paper = TableDocument.Paper(rawValue: name) else {
      throw PageFailure(
        status: .badRequest, heading: "Unknown paper", text: "The paper can be letter or a4.")
    }
    let filter = try filter(member)
    let names = try await InteractionNames(member)
    let found = try await Self.filtered(filter, member)
    guard found.count <= Self.documentLimit else {
      throw PageFailure(
        status: .unprocessableContent, heading: "Too many interactions for a PDF",
        text: "The PDF can contain at most 5,000 interactions. Filter the list, or export CSV.")
    }
    let table = RecruitingExport.document(
      of: found, filter, family: member.family, members: names.members,
      viewer: member.user, schools: names.schools, coaches: names.coaches, now: member.now, in: member.zone)
    do {
      let document = try await WorkerThread.run("pdf") { flag in
        try Self.rendering.withLockIfAvailable { _ in try TablePDF.render(table, on: paper) { try flag.check() } }
      }
      guard let document else {
        throw PageFailure(
          status: .serviceUnavailable, heading: "Another PDF is being created",
          text: "The server creates one PDF at a time. Reload the page in a few seconds.")
      }
      var headers: HTTPFields = [:]
      headers.set("content-disposition", to: "attachment; filename=\"interactions.pdf\"")
      return .text(document.bytes, "application/pdf", headers: headers)
    } catch let error as TablePDFError where error.isLibraryMissing {
      throw PageFailure(
        status: .notImplemented, heading: "No PDF on this server",
        text: "This server has no Pango, which renders PDF. Export CSV, or install the library on the server:",
        command: "apt-get install libpangocairo-1.0-0")
    }
  }

  private static func figureValues(_ figures: InteractionFigures) -> [String: Any?] {
    [
      "figuresTitle": "Figures",
      "cards": [
        RecruitingSite.card("Total", "\(figures.total)", tone: "blue"),
        RecruitingSite.card("Outbound", "\(figures.outbound)", tone: "green"),
        RecruitingSite.card("Inbound", "\(figures.inbound)", tone: "purple"),
        RecruitingSite.card("This Week", "\(figures.thisWeek)", tone: "amber"),
      ],
    ]
  }

  private func chipValues(
    _ filter: InteractionFilter, _ names: InteractionNames, _ member: FamilyVisitor
  ) -> [String: Any?] {
    [
      "hasChips": filter.isActive, "isFiltered": filter.isActive, "clearPath": member.path("/interactions"),
      "chips": filter.chips(people: names.people, me: member.user).map {
        ["label": $0.label, "path": member.path("/interactions", filter.removing($0.kind).query)]
      },
    ]
  }

  private func choices(
    _ filter: InteractionFilter, _ names: InteractionNames, _ member: FamilyVisitor
  ) -> [[String: Any]] {
    var choices = [
      RecruitingSite.choices(
        "type", "Type", any: "All", InteractionType.allCases.map { ($0.rawValue, $0.label) },
        current: filter.type?.rawValue),
      RecruitingSite.choices(
        "direction", "Direction", any: "All", InteractionDirection.allCases.map { ($0.rawValue, $0.label) },
        current: filter.direction?.rawValue),
      RecruitingSite.choices(
        "sentiment", "Sentiment", any: "All", PostSentiment.allCases.map { ($0.rawValue, $0.label) },
        current: filter.sentiment?.rawValue),
      RecruitingSite.choices(
        "days", "Time Period", any: "All Time", InteractionFilter.Period.allCases.map { ("\($0.rawValue)", $0.label) },
        current: filter.period.map { "\($0.rawValue)" }),
    ]
    if member.role == .parent {
      let others = names.members.filter { $0.role == .athlete && $0.userId != member.user }
      choices.append(
        RecruitingSite.choices(
          "by", "Logged By", any: "All",
          [(member.user, "Me (Parent)")] + others.map { ($0.userId, $0.displayName) }, current: filter.loggedBy))
    }
    return choices
  }

  // MARK: Values

  /// The values of an interaction in a list and on its page.
  static func values(of entry: Interaction, _ names: InteractionNames, _ member: FamilyVisitor) -> [String: Any] {
    let coach = names.coach(of: entry)
    let school = names.school(of: entry)
    let date = member.zone.label(entry.displayDate)
    let isMine = entry.loggedBy == member.user
    let people = [school, coach].compactMap(\.self).joined(separator: " • ")
    let content = entry.content?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    let values: [String: Any?] = [
      "page": "/interactions/\(entry.id)", "entryID": entry.id, "typeName": entry.type.rawValue,
      "is_\(entry.type.rawValue)": true,
      "typeLabel": entry.type.label, "directionName": entry.direction.rawValue,
      "directionLabel": entry.direction.label, "sentimentName": entry.sentiment?.rawValue,
      "sentimentLabel": entry.sentiment?.label, "subject": entry.title, "people": people.isEmpty ? nil : people,
      "content": content.isEmpty ? nil : content, "date": date, "dateISO": RecruitingDate.format(entry.displayDate),
      "files": entry.attachmentCount == 0 ? nil : PageText.countText(entry.attachmentCount, "file"),
      "loggedByLabel": member.role == .athlete
        ? nil : isMine ? "You" : names.people[entry.loggedBy] ?? RecruitingTexts.unknownMember,
      "loggedByName": isMine ? "me" : "member",
      "spoken": AccessibilityLabels.interaction(entry, coach: coach, school: school, date: date),
    ]
    return values.compactMapValues(\.self)
  }

  /// - Parameter notice: why a file was refused.
  func detail(_ entry: Interaction, _ member: FamilyVisitor, notice: String? = nil) async throws -> Response {
    let names = try await InteractionNames(member)
    let attachments = entry.attachments ?? []
    let values: [String: Any?] = [
      "title": entry.title, "listPath": member.path("/interactions"), "isMine": entry.loggedBy == member.user,
      "editPath": "/interactions/\(entry.id)/edit", "deletePath": "/interactions/\(entry.id)/delete",
      "coachName": names.coach(of: entry),
      "coachPath": entry.coachId.flatMap { names.coaches[$0] == nil ? nil : "/coaches/\($0)" },
      "schoolName": names.school(of: entry),
      "schoolPath": entry.schoolId.flatMap { names.schools[$0] == nil ? nil : "/schools/\($0)" },
      "logged": member.zone.label(entry.createdAt), "loggedISO": RecruitingDate.format(entry.createdAt),
      "hasAttachments": !attachments.isEmpty,
      "attachments": attachments.map { InteractionFiles.values(of: $0, in: entry) },
      "filesPath": "/interactions/\(entry.id)/files", "notice": notice,
    ]
    return site.page(
      "interaction", .interactions,
      Self.values(of: entry, names, member).merging(values.compactMapValues(\.self)) { $1 },
      member, status: notice == nil ? .ok : .unprocessableContent)
  }
}

/// An interaction with its family, which the model doesn't contain.
struct FamilyInteraction: Decodable, Sendable {
  let familyUnitId: String
  let interaction: Interaction

  private enum CodingKeys: CodingKey { case familyUnitId }

  init(from decoder: any Decoder) throws {
    familyUnitId = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .familyUnitId)
    interaction = try Interaction(from: decoder)
  }
}

/// The names that interactions refer to.
struct InteractionNames: Sendable {
  let schools: [String: String]
  let coaches: [String: String]
  let members: [FamilyMember]
  /// The names of the members by user ID.
  let people: [String: String]

  init(_ member: FamilyVisitor) async throws {
    schools = try await member.schools().namesByID
    coaches = try await member.coaches().namesByID
    members = try await member.people()
    people = Dictionary(members.map { ($0.userId, $0.displayName) }) { $1 }
  }

  func school(of entry: Interaction) -> String? {
    RecruitingTexts.name(of: entry.schoolId, in: schools, unknown: RecruitingTexts.unknownSchool)
  }

  func coach(of entry: Interaction) -> String? {
    RecruitingTexts.name(of: entry.coachId, in: coaches, unknown: RecruitingTexts.unknownCoach)
  }
}

/// The page about a filter in the address that doesn't exist.
enum RecruitingFilterFailure {
  static func converting<Filter>(_ read: () throws(RecruitingError) -> Filter) throws(PageFailure) -> Filter {
    do throws(RecruitingError) { return try read() } catch {
      throw PageFailure(
        status: .badRequest, heading: "Unknown filter", text: RecruitingPageTexts.sentence(error))
    }
  }
}
#endif
