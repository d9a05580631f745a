public import Foundation

/// An interaction in a CSV file.
public struct ImportedInteraction: Equatable, Sendable {
  /// The kind of the contact.
  public let type: InteractionType
  /// Who made the contact.
  public let direction: InteractionDirection
  /// The ID of an existing school: the one in the file, or the coach's.
  public let schoolId: String?
  /// The ID of an existing coach.
  public let coachId: String?
  /// At most 300 characters.
  public let subject: String?
  /// At most 10,000 characters.
  public let content: String?
  /// The sentiment that the file contains. `nil` without one.
  public let sentiment: PostSentiment?
  /// When the contact took place. `nil` without a date.
  public let occurredAt: Date?

  /// All values. Files and exports have minutes, so seconds are not compared.
  var key: String {
    let minute = occurredAt.map { "\(Int(($0.timeIntervalSince1970 / 60).rounded(.down)))" }
    return [
      type.rawValue, direction.rawValue, coachId ?? "", schoolId ?? "", subject ?? "", content ?? "",
      sentiment?.rawValue ?? "", minute ?? "",
    ].joined(separator: "\0")
  }
}

extension ImportTable {
  /// Interactions: the columns `type` and `direction`, and optionally `occurred_at`, `coach`, `school`, `subject`, `content`
  /// and `sentiment`. Dates without a time zone are in the given one. Coaches and schools must exist. An interaction exists
  /// if there is one with the same values. Subject, content and sentiment are compared if the file has their columns.
  public func previewInteractions(
    existing: [Interaction], coaches: [Coach], schools: [School], in zone: RecruitingTimeZone
  ) throws(RecruitingError) -> ImportPreview<ImportedInteraction> {
    try require([["type", "direction"]])
    let coachNames = NameIndex(coaches, name: \.fullName)
    let schoolNames = NameIndex(schools, name: \.name)
    // Only the columns of the file are compared.
    func ifInFile<Value>(_ column: String, _ value: Value?) -> Value? { columns.contains(column) ? value : nil }
    // An export contains a time for each interaction. Without a date, it's the time at which the interaction was logged.
    let known = existing.flatMap { entry in
      [entry.occurredAt, entry.displayDate].map { date in
        ImportedInteraction(
          type: entry.type, direction: entry.direction, schoolId: entry.schoolId, coachId: entry.coachId,
          subject: ifInFile("subject", ImportFields.imported(entry.subject)),
          content: ifInFile("content", ImportFields.imported(entry.content)),
          sentiment: ifInFile("sentiment", entry.sentiment), occurredAt: date)
      }
    }
    return preview(known: Set(known.map(\.key)), by: \.key) { fields throws(ImportProblem.Reason) in
      let coach = try fields.text("coach", limit: 200)
      let school = try fields.text("school", limit: 200)
      let found = try coach.map { name throws(ImportProblem.Reason) in
        try coachNames.item(named: name, column: "coach")
      }
      let schoolId = try school.map { name throws(ImportProblem.Reason) in
        try schoolNames.item(named: name, column: "school").id
      }
      guard let type = try fields.choice("type", label: { (type: InteractionType) in type.label }) else {
        throw .missing(column: "type")
      }
      guard let direction = try fields.choice("direction", label: { (value: InteractionDirection) in value.label })
      else {
        throw .missing(column: "direction")
      }
      return ImportedInteraction(
        type: type, direction: direction, schoolId: schoolId ?? found?.schoolId, coachId: found?.id,
        subject: try fields.text("subject", limit: 300), content: try fields.text("content", limit: 10_000),
        sentiment: try fields.choice("sentiment") { (sentiment: PostSentiment) in sentiment.label },
        occurredAt: try fields.date("occurred_at", in: zone))
    }
  }
}
