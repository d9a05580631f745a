public import Foundation

/// A college program that a family follows.
public struct School: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the row, a UUID.
  public let id: String
  /// The family that follows the school.
  public let familyUnitId: String
  /// At most 200 characters.
  public var name: String
  /// The stored name on X, without `@`.
  public var twitterHandle: String?
  /// The stored name on Instagram, without `@`.
  public var instagramHandle: String?
  /// Archived instead of deleted, so that old interactions keep the name.
  public var archivedAt: Date?

  /// Creates a school from the values of a row.
  public init(
    id: String, familyUnitId: String, name: String, twitterHandle: String? = nil, instagramHandle: String? = nil,
    archivedAt: Date? = nil
  ) {
    self.id = id
    self.familyUnitId = familyUnitId
    self.name = name
    self.twitterHandle = twitterHandle
    self.instagramHandle = instagramHandle
    self.archivedAt = archivedAt
  }
}
