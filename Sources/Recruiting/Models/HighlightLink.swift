public import Foundation

/// A link that shows one highlight to one coach: a row of `highlight_shares`.
public struct HighlightLink: Identifiable, Equatable, Sendable, Codable {
  /// How the family sent the link.
  public enum Channel: String, Sendable, Codable, CaseIterable {
    case email
    case directMessage = "dm"
    case tweet
    case text

    /// The type of the interaction that sending logs.
    public var interactionType: InteractionType {
      switch self {
      case .email: .email
      case .directMessage: .directMessage
      case .tweet: .tweet
      case .text: .text
      }
    }
  }

  /// Whether the link can be opened.
  public enum State: String, Sendable, Codable {
    case active
    case revoked
    case expired
  }

  public let id: String
  public let highlightId: String
  public let coachId: String
  public let interactionId: String?
  public let sentBy: String
  public let channel: Channel
  public let createdAt: Date
  public let expiresAt: Date
  public let revokedAt: Date?
  public let firstOpenedAt: Date?
  public let openCount: Int

  public init(
    id: String, highlightId: String, coachId: String, interactionId: String? = nil, sentBy: String, channel: Channel,
    createdAt: Date, expiresAt: Date, revokedAt: Date? = nil, firstOpenedAt: Date? = nil, openCount: Int = 0
  ) {
    self.id = id
    self.highlightId = highlightId
    self.coachId = coachId
    self.interactionId = interactionId
    self.sentBy = sentBy
    self.channel = channel
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.firstOpenedAt = firstOpenedAt
    self.openCount = openCount
  }

  /// A link that was revoked and has expired is revoked.
  public func state(at now: Date) -> State {
    if revokedAt != nil { return .revoked }
    return expiresAt <= now ? .expired : .active
  }
}
