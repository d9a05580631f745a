public import Foundation

/// A handle of a coach or a school, with the state of its last sync.
public struct SyncHandle: Equatable, Sendable, Codable {
  /// The platform of the account.
  public let platform: SocialPlatform
  /// The name of the account in lowercase, without `@`.
  public let handle: String
  /// Where the next sync continues. `nil` before the first one.
  public let sinceId: String?
  /// Where the next sync continues inside the pages of the account. `nil` if the last one read all of them.
  public let pagePosition: String?
  /// What `sinceId` becomes after the last page. `nil` without a position.
  public let newestId: String?
  /// When the platform last responded about the account. `nil` before the first sync.
  public let lastSyncedAt: Date?
  /// The `SyncProblem` of the last sync. `nil` if it succeeded.
  public let lastError: String?
}
