public import Foundation

/// A college program that a family follows.
public struct School: Identifiable, Equatable, Sendable, Codable {
  public let id: String
  public let familyUnitId: String
  public var name: String
  public var twitterHandle: String?
  public var instagramHandle: String?
  /// Archived instead of deleted, so that old interactions keep the name.
  public var archivedAt: Date?

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
