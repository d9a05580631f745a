package import ClipModel
package import Foundation

extension RecruitingExport {
  /// The filtered list of interactions with its figures, to print. It contains what the viewer's list shows: an athlete's
  /// document doesn't name other members.
  /// - Parameters:
  ///   - interactions: the filtered list.
  ///   - filter: the filter of the list.
  ///   - members: the members of the family.
  ///   - viewer: the user ID of the member who exports the list.
  ///   - schools: names by ID.
  package static func document(
    of interactions: [Interaction], _ filter: InteractionFilter, family: FamilyUnit, members: [FamilyMember],
    viewer: String, schools: [String: String], coaches: [String: String], now: Date, in zone: RecruitingTimeZone
  ) -> TableDocument {
    let isParent = members.contains { $0.userId == viewer && $0.role == .parent }
    let people = Dictionary(members.map { ($0.userId, $0.displayName) }) { $1 }
    let figures = InteractionFigures(interactions, now: now, in: zone)
    let state = filter.isActive ? RecruitingTexts.noMatchingInteractions : RecruitingTexts.noInteractions
    var columns: [TableDocument.Column] = [
      .init("Date", weight: 68), .init("Type", weight: 58), .init("Direction", weight: 60),
      .init("Subject", weight: 108), .init("Content", weight: 190), .init("School", weight: 76),
      .init("Coach", weight: 70), .init("Sentiment", weight: 62), .init("Files", weight: 34),
    ]
    if isParent { columns.append(.init("Logged By", weight: 70)) }
    return TableDocument(
      title: "Interactions – \(family.name)",
      facts: facts(filter, family, isParent ? members : members.filter { $0.userId == viewer }, now, zone),
      figures: [
        .init("Total", "\(figures.total)"), .init("Outbound", "\(figures.outbound)"),
        .init("Inbound", "\(figures.inbound)"), .init("This Week", "\(figures.thisWeek)"),
      ],
      columns: columns,
      rows: interactions.map { entry in
        var cells = [
          zone.label(entry.displayDate), entry.type.label, entry.direction.label, entry.title,
          entry.content?.trimmed ?? "",
          RecruitingTexts.name(of: entry.schoolId, in: schools, unknown: RecruitingTexts.unknownSchool) ?? "",
          RecruitingTexts.name(of: entry.coachId, in: coaches, unknown: RecruitingTexts.unknownCoach) ?? "",
          entry.sentiment?.label ?? "", entry.attachmentCount == 0 ? "" : "\(entry.attachmentCount)",
        ]
        if isParent { cells.append(people[entry.loggedBy] ?? RecruitingTexts.unknownMember) }
        return cells
      },
      emptyText: state.title, createdAt: now.formatted(.iso8601))
  }

  /// - Parameter members: the members whom the viewer's list can name.
  private static func facts(
    _ filter: InteractionFilter, _ family: FamilyUnit, _ members: [FamilyMember], _ now: Date,
    _ zone: RecruitingTimeZone
  ) -> [TableDocument.Entry] {
    let athletes = members.filter { member in
      member.role == .athlete && (filter.loggedBy == nil || filter.loggedBy == member.userId)
    }.map(\.displayName).sorted()
    let people = Dictionary(members.map { ($0.userId, $0.displayName) }) { $1 }
    // The reader of a printed list can be anyone, so the filter names each person.
    let filters = filter.chips(people: people, me: "").map(\.label).joined(separator: "; ")
    var facts: [TableDocument.Entry] = [.init("Family", family.name)]
    if !athletes.isEmpty {
      facts.append(.init(athletes.count == 1 ? "Athlete" : "Athletes", athletes.joined(separator: ", ")))
    }
    facts += [
      .init("Filters", filters.isEmpty ? "None" : filters), .init("Time zone", zone.identifier),
      .init("Created", zone.label(now)),
    ]
    return facts
  }
}
