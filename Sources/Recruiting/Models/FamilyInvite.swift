public import Foundation

/// An invitation to a family. Its code is known only to the person who created it.
public struct FamilyInvite: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the row, a UUID.
  public let id: String
  /// The role that the invited person gets.
  public let role: FamilyRole
  /// When the invitation stops working.
  public let expiresAt: Date

  /// Creates an invitation from the values of a row.
  public init(id: String, role: FamilyRole, expiresAt: Date) {
    self.id = id
    self.role = role
    self.expiresAt = expiresAt
  }
}
