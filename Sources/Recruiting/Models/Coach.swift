public import Foundation

/// A coach that a family follows.
public struct Coach: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the row, a UUID.
  public let id: String
  /// The family that follows the coach.
  public let familyUnitId: String
  /// The ID of the coach's school, in the same family.
  public var schoolId: String?
  /// At most 100 characters.
  public var firstName: String
  /// At most 100 characters.
  public var lastName: String
  /// Any text, such as `head_coach`.
  public var role: String?
  /// The stored name on X, without `@`. `handles` validates it.
  public var twitterHandle: String?
  /// The stored name on Instagram, without `@`. `handles` validates it.
  public var instagramHandle: String?
  /// The newest interaction that has taken place. The server maintains it.
  public var lastContactDate: Date?
  /// Archived instead of deleted, so that old interactions keep the name.
  public var archivedAt: Date?

  /// Creates a coach from the values of a row.
  public init(
    id: String, familyUnitId: String, schoolId: String? = nil, firstName: String, lastName: String,
    role: String? = nil, twitterHandle: String? = nil, instagramHandle: String? = nil, lastContactDate: Date? = nil,
    archivedAt: Date? = nil
  ) {
    self.id = id
    self.familyUnitId = familyUnitId
    self.schoolId = schoolId
    self.firstName = firstName
    self.lastName = lastName
    self.role = role
    self.twitterHandle = twitterHandle
    self.instagramHandle = instagramHandle
    self.lastContactDate = lastContactDate
    self.archivedAt = archivedAt
  }

  /// The first and the last name.
  public var fullName: String { "\(firstName) \(lastName)" }

  /// The role's words with capitals: `Head Coach` for `head_coach`. `nil` without a role.
  public var roleLabel: String? {
    guard let role else { return nil }
    let words = role.split { $0 == "_" || $0.isWhitespace }
    return words.isEmpty ? nil : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// The valid handles, in the order of the platforms. Stored text that is not a handle is left out, so no page shows a
  /// link to an unexpected address.
  public var handles: [SocialHandle] {
    [(SocialPlatform.twitter, twitterHandle), (.instagram, instagramHandle)].compactMap { platform, text in
      text.flatMap { try? SocialHandle($0, on: platform) }
    }
  }
}
