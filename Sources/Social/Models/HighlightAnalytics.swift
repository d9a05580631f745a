public import Foundation

/// How often a highlight of the signed-in account was watched, as the function `creator_analytics` returns it.
public struct HighlightAnalytics: Codable, Equatable, Sendable {
  /// The highlight's ID.
  public var highlightID: UUID
  /// The caption; `nil` if there is none.
  public var caption: String?
  /// When the highlight was shared, in ISO 8601 format with a time zone.
  public var createdAt: String
  /// The number of views in the requested days.
  public var views: Int
  /// The number of views that reached the last tenth.
  public var completions: Int
  /// Completions divided by views, from 0 to 1; `nil` without views.
  public var completionRate: Double?
  /// The sum of all playback in seconds.
  public var watchedSeconds: Double
  /// The number of all likes.
  public var likesCount: Int
  /// The number of all comments.
  public var commentsCount: Int

  enum CodingKeys: String, CodingKey {
    case caption, views, completions
    case highlightID = "highlight_id"
    case createdAt = "created_at"
    case completionRate = "completion_rate"
    case watchedSeconds = "watched_seconds"
    case likesCount = "likes_count"
    case commentsCount = "comments_count"
  }
}
