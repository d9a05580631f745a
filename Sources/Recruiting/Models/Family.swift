public import Foundation

/// What a member of a family may do: athletes log interactions and see their own; parents see all of the family.
public enum FamilyRole: String, Sendable, Codable, CaseIterable {
  case athlete
  case parent

  public var label: String {
    switch self {
    case .athlete: "Athlete"
    case .parent: "Parent"
    }
  }
}

/// A family: the boundary of everything in recruiting.
public struct FamilyUnit: Identifiable, Equatable, Sendable, Codable {
  public let id: String
  public var name: String
  public let createdAt: Date?

  public init(id: String, name: String, createdAt: Date? = nil) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
  }
}

/// A member of a family, as `family_people` returns it.
public struct FamilyMember: Identifiable, Equatable, Sendable, Codable {
  public let userId: String
  public let role: FamilyRole
  public let displayName: String
  public let username: String?
  public let createdAt: Date?

  public var id: String { userId }

  public init(userId: String, role: FamilyRole, displayName: String, username: String? = nil, createdAt: Date? = nil) {
    self.userId = userId
    self.role = role
    self.displayName = displayName
    self.username = username
    self.createdAt = createdAt
  }
}
