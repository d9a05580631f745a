public import Foundation

/// The content that a report or a decision is about.
public struct ContentTarget: Codable, Equatable, Sendable {
  /// The kind of content.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// A highlight.
    case highlight
    /// A comment.
    case comment
    /// A person's profile.
    case profile = "user_profile"
  }

  /// The kind of content.
  public var kind: Kind
  /// The ID of the content.
  public var id: UUID

  public init(kind: Kind, id: UUID) { (self.kind, self.id) = (kind, id) }
}

/// Why content is reported.
public enum ReportReason: String, Codable, CaseIterable, Sendable {
  /// Inappropriate content.
  case inappropriate
  /// Advertising or repetition.
  case spam
  /// Not a sports video.
  case notSports = "not_sports"
  /// Harassment of a person.
  case harassment
}

/// A report by the signed-in account: a row of the table `content_reports`.
public struct ContentReport: Codable, Equatable, Identifiable, Sendable {
  /// The report's ID.
  public var id: UUID
  /// The kind of the reported content.
  public var kind: ContentTarget.Kind
  /// The ID of the reported content.
  public var reportedID: UUID
  /// The reason. Apps can send more reasons than `ReportReason`.
  public var reason: String
  /// The state: `pending`, `reviewed`, `action_taken` or `dismissed`.
  public var status: String
  /// The creation time in ISO 8601 format with a time zone.
  public var createdAt: String

  enum CodingKeys: String, CodingKey {
    case id, status
    case kind = "reported_type"
    case reportedID = "reported_id"
    case reason = "report_type"
    case createdAt = "created_at"
  }
}
