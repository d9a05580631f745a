#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The forms `/interactions/add` and `/interactions/{id}/edit`. Only athletes log interactions.
struct InteractionForms: Sendable {
  let site: RecruitingSite

  func add(to router: Router<BackendContext>) {
    router.get("interactions/add") { request, _ in
      try await site.show(request) { member in
        guard member.role == .athlete else { throw Self.athletesOnly }
        return try await form(member, nil, try await prefilled(member))
      }
    }
    router.post("interactions/add") { request, context in
      let (member, fields) = try await site.form(request, context)
      guard member.role == .athlete else { throw Self.athletesOnly }
      return try await save(fields, nil, member)
    }
    router.get("interactions/:id/edit") { request, context in
      try await site.show(
        "interactions", try context.parameters.require("id"), request, family: \FamilyInteraction.familyUnitId
      ) { row, member in
        guard row.interaction.loggedBy == member.user else { throw PageFailure.notFound }
        return try await form(member, row.interaction, [:])
      }
    }
    router.post("interactions/:id/edit") { request, context in
      let (member, fields) = try await site.form(request, context)
      let row: FamilyInteraction = try await member.rows.row(
        "interactions", try context.parameters.require("id"))
      guard row.interaction.loggedBy == member.user, row.familyUnitId == member.family.id else {
        throw PageFailure.notFound
      }
      return try await save(fields, row.interaction, member)
    }
  }

  static let athletesOnly = PageFailure(
    status: .forbidden, heading: "Only athletes log interactions",
    text: "Parents see all interactions of the family. Ask your athlete to log this contact.")

  /// The values of a new interaction, from the coach or the post in the address.
  private func prefilled(_ member: FamilyVisitor) async throws -> [String: String] {
    var fields = ["direction": InteractionDirection.outbound.rawValue]
    if let id = member.parameter("coach") {
      let coach: Coach = try await member.rows.row("coaches", id)
      fields["coach"] = coach.id
      fields["school"] = coach.schoolId
    }
    if let id = member.parameter("post") {
      let post: SocialPost = try await member.rows.row("social_media_posts", id)
      let logged = InteractionChange(post, as: post.platform == .twitter ? .tweet : .directMessage)
      fields["type"] = logged.type?.rawValue
      fields["direction"] = logged.direction?.rawValue
      fields["coach"] = logged.coachId
      fields["school"] = logged.schoolId
      fields["sentiment"] = logged.sentiment?.rawValue
      fields["occurred"] = logged.occurredAt.map(member.zone.fieldText)
      fields["subject"] = logged.subject
      fields["content"] = logged.content
    }
    return fields
  }

  private func form(
    _ member: FamilyVisitor, _ entry: Interaction?, _ unsent: [String: String], notice: String? = nil
  ) async throws -> Response {
    let coaches = try await member.coaches()
    let schools = try await member.schools()
    func current(_ name: String, _ stored: String?) -> String { unsent[name] ?? stored ?? "" }
    let (coach, school) = (current("coach", entry?.coachId), current("school", entry?.schoolId))
    let coachOptions = coaches.filter { $0.archivedAt == nil || $0.id == coach }.options(schools.namesByID)
    let schoolOptions = schools.filter { $0.archivedAt == nil || $0.id == school }.map { ($0.id, $0.name) }
    let choices = [
      RecruitingSite.choices(
        "type", "Type", any: nil, InteractionType.allCases.map { ($0.rawValue, $0.label) },
        current: current("type", entry?.type.rawValue)),
      RecruitingSite.choices(
        "direction", "Direction", any: nil, InteractionDirection.allCases.map { ($0.rawValue, $0.label) },
        current: current("direction", entry?.direction.rawValue)),
      RecruitingSite.choices("coach", "Coach", any: "No coach", coachOptions, current: coach),
      RecruitingSite.choices("school", "School", any: "The coach's school", schoolOptions, current: school),
      RecruitingSite.choices(
        "sentiment", "Sentiment", any: "None", PostSentiment.allCases.map { ($0.rawValue, $0.label) },
        current: current("sentiment", entry?.sentiment?.rawValue)),
    ]
    return site.page(
      "interactionform", .interactions,
      [
        "title": entry == nil ? "Log Interaction" : "Edit the interaction",
        "heading": entry == nil ? "Log Interaction" : "Edit the interaction", "notice": notice,
        "saveLabel": entry == nil ? "Log Interaction" : "Save the interaction",
        "action": entry.map { "/interactions/\($0.id)/edit" } ?? "/interactions/add", "choices": choices,
        // A form that is sent twice logs one interaction.
        "newID": entry == nil ? ChosenID.new() : nil,
        "occurredValue": current("occurred", entry?.occurredAt.map(member.zone.fieldText)),
        "subjectValue": current("subject", entry?.subject), "contentValue": current("content", entry?.content),
        "cancelPath": entry.map { "/interactions/\($0.id)" } ?? member.path("/interactions"),
      ], member, status: notice == nil ? .ok : .unprocessableContent)
  }

  private func save(
    _ fields: [String: String], _ entry: Interaction?, _ member: FamilyVisitor
  ) async throws -> Response {
    do {
      let values = try await Self.values(fields, entry, member)
      if let entry {
        try await member.rows.update("interactions", entry.id, values)
        return PageSite.redirect(to: "/interactions/\(entry.id)")
      }
      let id = ChosenID.field(fields["id"])
      let new = [
        "id": id.databaseValue, "family_unit_id": member.family.id.databaseValue,
        "logged_by": member.user.databaseValue,
      ]
      try await member.rows.insertOnce("interactions", values.merging(new) { $1 })
      return PageSite.redirect(to: "/interactions/\(id)")
    } catch let problem as FormProblem {
      return try await form(member, entry, fields, notice: problem.text)
    }
  }

  private static func values(
    _ fields: [String: String], _ entry: Interaction?, _ member: FamilyVisitor
  ) async throws -> [String: DatabaseValue] {
    let input = FormInput(fields)
    let coaches = try await member.coaches()
    let coach = try input.reference("coach", among: coaches.map(\.id))
    var school = try input.reference("school", among: try await member.schools().map(\.id))
    if school.isNull, let id = String.fromDatabaseValue(coach) {
      school = coaches.first { $0.id == id }?.schoolId?.databaseValue ?? .null
    }
    let type = try input.choice("type", "type", as: InteractionType.self)
    let direction = try input.choice("direction", "direction", as: InteractionDirection.self)
    guard !type.isNull, !direction.isNull else {
      throw FormProblem(text: "Select the type and the direction.")
    }
    // Fields have minutes. Saving an unchanged time keeps its seconds.
    let isSameTime = entry?.occurredAt.map(member.zone.fieldText) == input.text("occurred")
    var values: [String: DatabaseValue] = [
      "type": type, "direction": direction, "coach_id": coach, "school_id": school,
      "sentiment": try input.choice("sentiment", "sentiment", as: PostSentiment.self),
      "subject": try input.optional("subject", "subject", limit: 300),
      "content": try input.optional("content", "content", limit: 10_000),
    ]
    if !isSameTime { values["occurred_at"] = try input.time("occurred", in: member.zone) }
    return values
  }
}
#endif
