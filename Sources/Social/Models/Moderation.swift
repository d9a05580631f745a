public import Foundation

/// Content that waits for a moderator's decision, as the function `moderation_queue` returns it.
public struct ModerationItem: Codable, Equatable, Sendable {
  /// The kind of content.
  public var kind: ContentTarget.Kind
  /// The ID of the content.
  public var targetID: UUID
  /// The account ID of the content's owner.
  public var ownerID: UUID
  /// The owner's handle.
  public var ownerName: String
  /// The number of people who reported the content.
  public var reportCount: Int
  /// The reasons of the reports.
  public var reasons: [String]
  /// The number of times that the account exceeded a rate limit.
  public var flagCount: Int
  /// The time of the oldest report or flag, in ISO 8601 format with a time zone.
  public var oldest: String
  /// The content's text; `nil` if the content was deleted.
  public var content: String?
  /// The number of the owner's offenses in the last 90 days.
  public var offenseCount: Int

  enum CodingKeys: String, CodingKey {
    case oldest, content
    case kind = "target_type"
    case targetID = "target_id"
    case ownerID = "user_id"
    case ownerName = "username"
    case reportCount = "report_count"
    case reasons = "report_types"
    case flagCount = "flag_count"
    case offenseCount = "offenses"
  }

  /// Decodes a row, whose `report_types` is null if there are only flags.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(ContentTarget.Kind.self, forKey: .kind)
    targetID = try container.decode(UUID.self, forKey: .targetID)
    ownerID = try container.decode(UUID.self, forKey: .ownerID)
    ownerName = try container.decode(String.self, forKey: .ownerName)
    reportCount = try container.decode(Int.self, forKey: .reportCount)
    reasons = try container.decodeIfPresent([String].self, forKey: .reasons) ?? []
    flagCount = try container.decode(Int.self, forKey: .flagCount)
    oldest = try container.decode(String.self, forKey: .oldest)
    content = try container.decodeIfPresent(String.self, forKey: .content)
    offenseCount = try container.decode(Int.self, forKey: .offenseCount)
  }
}

/// What a moderator decides about content. The backend derives the consequence from earlier offenses.
public enum ModerationAction: String, Codable, CaseIterable, Sendable {
  /// No offense.
  case dismiss
  /// An offense: deletes the content, or clears a profile's texts.
  case remove
  /// An offense.
  case warn
  /// An offense that restricts the account. Refused for a first offense.
  case restrict
  /// Ends a restriction.
  case lift
}

/// The consequence of a decision.
public struct ModerationOutcome: Codable, Equatable, Sendable {
  /// The consequence: `dismiss`, `warn`, `restrict` or `lift`.
  public var action: String
  /// When a restriction ends, in ISO 8601 format with a time zone.
  public var until: String?
}
