public import Foundation

/// A coach that a family follows.
public struct Coach: Identifiable, Equatable, Sendable, Codable {
  public let id: String
  public let familyUnitId: String
  public var schoolId: String?
  public var firstName: String
  public var lastName: String
  /// Any text, such as `head_coach`.
  public var role: String?
  public var twitterHandle: String?
  public var instagramHandle: String?
  public var lastContactDate: Date?
  public var archivedAt: Date?

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
