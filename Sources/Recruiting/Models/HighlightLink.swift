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
    /// The link shows the highlight.
    case active
    /// The sender or a parent ended the link, or the sender left the family.
    case revoked
    /// The link's time has passed.
    case expired
  }

  /// The ID that the sender chose, a UUID.
  public let id: String
  /// The highlight that the link shows.
  public let highlightId: String
  /// The coach who received the link.
  public let coachId: String
  /// The interaction that sending logged. `nil` if it was deleted.
  public let interactionId: String?
  /// The user ID of the athlete.
  public let sentBy: String
  /// How the link was sent.
  public let channel: Channel
  /// When the link was sent.
  public let createdAt: Date
  /// When the link stops working.
  public let expiresAt: Date
  /// When the link was revoked. `nil` if it was not.
  public let revokedAt: Date?
  /// The first opening by a person outside of the family. `nil` before it.
  public let firstOpenedAt: Date?
  /// Openings by people outside of the family.
  public let openCount: Int

  /// Creates a link from the values of a row.
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

  /// The address at which a coach opens a link.
  /// - Parameters:
  ///   - base: the public address of the pages of links, with or without a slash at its end.
  ///   - token: the secret part of the address.
  public static func address(at base: URL, token: String) -> String {
    base.appending(path: "s/\(token)").absoluteString
  }

  /// A link that was revoked and has expired is revoked.
  public func state(at now: Date) -> State {
    if revokedAt != nil { return .revoked }
    return expiresAt <= now ? .expired : .active
  }
}
