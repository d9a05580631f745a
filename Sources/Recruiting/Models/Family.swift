public import Foundation

/// The role of a member: athletes log interactions and see their own; parents see all of the family.
public enum FamilyRole: String, Sendable, Codable, CaseIterable {
  /// Logs interactions and sends links, and sees only its own.
  case athlete
  /// Sees everything in the family, invites members and removes them.
  case parent

  /// The name of the role on pages.
  public var label: String {
    switch self {
    case .athlete: "Athlete"
    case .parent: "Parent"
    }
  }
}

/// A family, to which all data of recruiting belongs.
public struct FamilyUnit: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the row, a UUID.
  public let id: String
  /// At most 80 characters.
  public var name: String
  /// When the family was created.
  public let createdAt: Date?

  /// Creates a family from the values of a row.
  public init(id: String, name: String, createdAt: Date? = nil) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
  }
}

/// A member of a family, as `family_people` returns it.
public struct FamilyMember: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the account.
  public let userId: String
  /// The role in this family.
  public let role: FamilyRole
  /// The name of the profile, which members see even if the profile is private.
  public let displayName: String
  /// The username of the profile. `nil` if the account has none.
  public let username: String?
  /// When the account became a member.
  public let createdAt: Date?

  /// The user ID: an account is a member once.
  public var id: String { userId }

  /// Creates a member from the values of a row.
  public init(userId: String, role: FamilyRole, displayName: String, username: String? = nil, createdAt: Date? = nil) {
    self.userId = userId
    self.role = role
    self.displayName = displayName
    self.username = username
    self.createdAt = createdAt
  }
}
