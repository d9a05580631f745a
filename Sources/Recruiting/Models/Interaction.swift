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
  case outbound
  case inbound

  public var label: String {
    switch self {
    case .outbound: "Outbound"
    case .inbound: "Inbound"
    }
  }
}

/// A contact with a coach, logged by an athlete.
public struct Interaction: Identifiable, Equatable, Sendable, Codable {
  public let id: String
  public let type: InteractionType
  public let direction: InteractionDirection
  public let schoolId: String?
  public let coachId: String?
  public let subject: String?
  public let content: String?
  public let sentiment: PostSentiment?
  public let occurredAt: Date?
  /// The user ID of the athlete who logged it.
  public let loggedBy: String
  public let attachments: [String]?
  public let createdAt: Date

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

  public var attachmentCount: Int { attachments?.count ?? 0 }

  /// The newest first; those of the same time by ID.
  public static func isNewer(_ left: Interaction, _ right: Interaction) -> Bool {
    left.displayDate == right.displayDate ? left.id < right.id : left.displayDate > right.displayDate
  }
}
