public import ClipModel
public import Foundation
internal import RowRequests

/// The values of an interaction that an athlete enters. `nil` leaves a value as it is, and an empty text removes it.
public struct InteractionChange: Equatable, Sendable {
  /// The kind of the contact.
  public var type: InteractionType?
  /// Who made the contact.
  public var direction: InteractionDirection?
  /// The ID of a school of the family. An empty text removes the school.
  public var schoolId: String?
  /// The ID of a coach of the family. An empty text removes the coach.
  public var coachId: String?
  /// At most 300 characters.
  public var subject: String?
  /// At most 10,000 characters.
  public var content: String?
  /// The sentiment of the contact.
  public var sentiment: PostSentiment?
  /// When the contact took place, or will.
  public var occurredAt: Date?

  /// Creates a change.
  public init(
    type: InteractionType? = nil, direction: InteractionDirection? = nil, schoolId: String? = nil,
    coachId: String? = nil, subject: String? = nil, content: String? = nil, sentiment: PostSentiment? = nil,
    occurredAt: Date? = nil
  ) {
    (self.type, self.direction, self.schoolId, self.coachId) = (type, direction, schoolId, coachId)
    (self.subject, self.content, self.sentiment, self.occurredAt) = (subject, content, sentiment, occurredAt)
  }

  /// The inbound interaction that logs a post, with the coach and the school of the post.
  public init(_ post: SocialPost, as type: InteractionType) {
    self.init(
      type: type, direction: .inbound, schoolId: post.schoolId, coachId: post.coachId,
      subject: "\(post.platform.label) post from \(post.authorName)".prefixed(300),
      content: "\(post.postContent.prefixed(9_000))\n\(post.postUrl)", sentiment: post.sentiment,
      occurredAt: post.postDate)
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { self == InteractionChange() }

  var row: [String: RowValue] {
    get throws {
      var row: [String: RowValue] = [:]
      if let type { row["type"] = .text(type.rawValue) }
      if let direction { row["direction"] = .text(direction.rawValue) }
      if let schoolId { row["school_id"] = .text(schoolId.isEmpty ? nil : schoolId) }
      if let coachId { row["coach_id"] = .text(coachId.isEmpty ? nil : coachId) }
      if let subject { row["subject"] = try RecruitingAPI.optional("subject", subject, limit: 300) }
      if let content { row["content"] = try RecruitingAPI.optional("content", content, limit: 10_000) }
      if let sentiment { row["sentiment"] = .text(sentiment.rawValue) }
      if let occurredAt { row["occurred_at"] = .time(occurredAt) }
      return row
    }
  }
}

/// Contacts with coaches.
extension RecruitingAPI {
  /// All interactions that the account can see, the newest first: an athlete's own, and all of the family for a parent.
  public func interactions(of family: String) async throws -> [Interaction] {
    let interactions: [Interaction] = try await allRows(
      "list the interactions", "interactions", [("family_unit_id", "eq.\(family)")])
    return interactions.sorted(by: Interaction.isNewer)
  }

  /// The interaction with an ID or with the first characters of one, at least four.
  public func interaction(_ id: String, in family: String) async throws -> Interaction {
    try await row(id, of: "interaction", in: "interactions", family: family)
  }

  /// Logs an interaction.
  /// - Parameter id: chosen by the caller, so that a repeated request logs no second interaction.
  public func addInteraction(_ values: InteractionChange, id: String, to family: String) async throws -> Interaction {
    var row = try values.row
    (row["id"], row["family_unit_id"]) = (.text(id), .text(family))
    return try await insert("log the interaction", into: "interactions", row, id: id)
  }

  /// Changes an interaction that the account logged.
  public func changeInteraction(_ id: String, _ change: InteractionChange) async throws -> Interaction {
    try await self.change("edit the interaction", in: "interactions", id: id, try change.row)
  }

  /// Deletes an interaction that the account logged.
  public func deleteInteraction(_ id: String) async throws {
    try await delete("delete the interaction", from: "interactions", [("select", "id"), ("id", "eq.\(id)")])
  }

  // MARK: Attachments

  /// Stores a picture and lists it in an interaction that the account logged. A repeated request stores it once.
  /// - Parameter name: at most 100 ASCII letters, digits, `.`, `_` and `-`. A file with this name is replaced.
  public func attach(_ picture: StillPicture, named name: String, to interaction: Interaction) async throws
    -> Interaction
  {
    let path = "attachments/\(interaction.id)/\(name)"
    try await send(
      RowRequest(
        operation: "attach the picture", service: .storage, method: .post, path: "object/\(path)",
        headers: ["Content-Type": picture.format.rawValue, "x-upsert": "true"], body: Data(picture.bytes)))
    return try await setListed(true, of: path, in: interaction)
  }

  /// Removes a stored picture from an interaction that the account logged.
  /// - Parameter path: an entry of `attachments`.
  public func detach(_ path: String, from interaction: Interaction) async throws -> Interaction {
    // The list comes first, so that it never contains a file that doesn't exist.
    let changed = try await setListed(false, of: path, in: interaction)
    guard interaction.storedAttachments.contains(path) else { return changed }
    do {
      try await send(
        RowRequest(operation: "remove the picture", service: .storage, method: .delete, path: "object/\(path)"))
    } catch let error as RecruitingError where [.notFound, .invalid].contains(error.id) {
      // An earlier attempt removed it. Supabase's Storage responds with 400 instead of 404 (UNVERIFIED).
    }
    return changed
  }

  /// Returns the bytes of a stored picture.
  /// - Parameter path: an entry of `attachments`.
  public func attachment(_ path: String) async throws -> Data {
    try await send(
      RowRequest(operation: "read the picture", service: .storage, method: .get, path: "object/authenticated/\(path)"))
  }

  /// Adds an attachment to the list, or removes it. Changes the current list, because another picture can be attached at the
  /// same time.
  private func setListed(_ isListed: Bool, of path: String, in interaction: Interaction) async throws -> Interaction {
    let operation = "edit the interaction"
    try await send(
      try .call(
        operation, "list_attachment",
        ["id": .text(interaction.id), "attachment": .text(path), "is_listed": .flag(isListed)]))
    let stored: [Interaction] = try await rows(
      .rows(operation, "interactions", [("select", "*"), ("id", "eq.\(interaction.id)")]))
    guard let changed = stored.first else { throw RecruitingError(.notFound, ["operation": operation]) }
    return changed
  }

  /// Logs the interactions of a file.
  public func importInteractions(_ interactions: [ImportedInteraction], to family: String) async throws {
    let rows = interactions.map { entry -> [String: RowValue] in
      [
        "id": .text(Self.newID()), "family_unit_id": .text(family), "type": .text(entry.type.rawValue),
        "direction": .text(entry.direction.rawValue), "school_id": .text(entry.schoolId),
        "coach_id": .text(entry.coachId), "subject": .text(entry.subject), "content": .text(entry.content),
        "sentiment": .text(entry.sentiment?.rawValue), "occurred_at": .time(entry.occurredAt),
      ]
    }
    try await insertMany("import the interactions", into: "interactions", rows)
  }
}

extension String {
  /// At most `count` characters, the last of which shows that there were more.
  fileprivate func prefixed(_ count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }
}
