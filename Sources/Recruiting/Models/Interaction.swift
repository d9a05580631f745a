public import Foundation

/// The kind of a contact with a coach.
public enum InteractionType: String, Sendable, Codable, CaseIterable {
  case email
  case phoneCall = "phone_call"
  case text
  case inPersonVisit = "in_person_visit"
  case virtualMeeting = "virtual_meeting"
  case camp
  case showcase
  case tweet
  case directMessage = "dm"

  /// The name of the type on pages and in exports.
  public var label: String {
    switch self {
    case .email: "Email"
    case .phoneCall: "Phone Call"
    case .text: "Text"
    case .inPersonVisit: "In-Person Visit"
    case .virtualMeeting: "Virtual Meeting"
    case .camp: "Camp"
    case .showcase: "Showcase"
    case .tweet: "Tweet"
    case .directMessage: "Direct Message"
    }
  }
}

/// Who made the contact: the family, or the coach.
public enum InteractionDirection: String, Sendable, Codable, CaseIterable {
  /// The family contacted the coach.
  case outbound
  /// The coach contacted the family.
  case inbound

  /// The name of the direction on pages and in exports.
  public var label: String {
    switch self {
    case .outbound: "Outbound"
    case .inbound: "Inbound"
    }
  }
}

/// A contact with a coach, logged by an athlete.
public struct Interaction: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the row, a UUID.
  public let id: String
  /// The kind of the contact.
  public let type: InteractionType
  /// Who made the contact.
  public let direction: InteractionDirection
  /// The ID of the school. `nil` if there is none, or if it was deleted.
  public let schoolId: String?
  /// The ID of the coach. `nil` if there is none, or if the coach was deleted.
  public let coachId: String?
  /// At most 300 characters.
  public let subject: String?
  /// At most 10,000 characters.
  public let content: String?
  /// The sentiment that the athlete selected. `nil` without one.
  public let sentiment: PostSentiment?
  /// When the contact took place, or will. `nil` if it was not specified.
  public let occurredAt: Date?
  /// The user ID of the athlete who logged it.
  public let loggedBy: String
  /// At most 20 files: stored pictures as `attachments/INTERACTION/NAME`, and addresses of websites.
  public let attachments: [String]?
  /// When the contact was logged.
  public let createdAt: Date

  /// Creates an interaction from the values of a row.
  public init(
    id: String, type: InteractionType, direction: InteractionDirection, schoolId: String? = nil, coachId: String? = nil,
    subject: String? = nil, content: String? = nil, sentiment: PostSentiment? = nil, occurredAt: Date? = nil,
    loggedBy: String, attachments: [String]? = nil, createdAt: Date
  ) {
    self.id = id
    self.type = type
    self.direction = direction
    self.schoolId = schoolId
    self.coachId = coachId
    self.subject = subject
    self.content = content
    self.sentiment = sentiment
    self.occurredAt = occurredAt
    self.loggedBy = loggedBy
    self.attachments = attachments
    self.createdAt = createdAt
  }

  /// The date that lists show and sort by: when the contact took place, or when it was logged.
  public var displayDate: Date { occurredAt ?? createdAt }

  /// The subject, or the type for an interaction without one.
  public var title: String {
    guard let subject, subject.contains(where: { !$0.isWhitespace }) else { return type.label }
    return subject
  }

  /// The number of attachments.
  public var attachmentCount: Int { attachments?.count ?? 0 }

  /// The stored pictures among the attachments.
  public var storedAttachments: [String] { (attachments ?? []).filter { $0.hasPrefix("attachments/\(id)/") } }

  /// The newest first; those of the same time by ID.
  public static func isNewer(_ left: Interaction, _ right: Interaction) -> Bool {
    left.displayDate == right.displayDate ? left.id < right.id : left.displayDate > right.displayDate
  }
}
