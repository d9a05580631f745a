import ClipModel
public import Foundation

/// A post in a CSV file, classified.
public struct ImportedPost: Equatable, Sendable {
  /// The address, which also identifies the post.
  public let address: PostAddress
  /// At most 100,000 code points.
  public let content: String
  /// When the post was published.
  public let date: Date
  /// The account of the author.
  public let author: SocialHandle
  /// At most 200 code points. The handle if the file contains no name.
  public let authorName: String
  /// The decision of `RecruitingClassifier`.
  public let isRecruitingRelated: Bool
  /// The result of `SentimentAnalysis`. `nil` if the post can't be analyzed.
  public let sentiment: PostSentiment?

  var key: String { address.key }
}

extension ImportTable {
  /// Posts: the columns `post_url`, `post_content` and `post_date` (or `occurred_at`), and optionally `author_handle`,
  /// `author_name` and `language`. The address contains the platform, and on X the author. A post exists if one with the
  /// same platform and ID does.
  public func previewPosts(existing: Set<PostAddress>, in zone: RecruitingTimeZone) throws(RecruitingError)
    -> ImportPreview<ImportedPost>
  {
    try require([["post_url", "post_content", "post_date"], ["post_url", "post_content", "occurred_at"]])
    let dateColumn = columns.contains("post_date") ? "post_date" : "occurred_at"
    return preview(known: Set(existing.map(\.key)), by: \.key) {
      fields throws(ImportProblem.Reason) in
      let url = try fields.required("post_url", limit: 2048)
      let address: PostAddress
      do throws(RecruitingError) { address = try PostAddress(url) } catch { throw .refused(column: "post_url", error) }
      guard let date = try fields.date(dateColumn, in: zone) else { throw .missing(column: dateColumn) }
      let content = try fields.required("post_content", limit: 100_000, of: .codePoints)
      guard let author = try fields.handle("author_handle", on: address.platform) ?? address.author else {
        throw .missing(column: "author_handle")
      }
      return ImportedPost(
        address: address, content: content, date: date, author: author,
        authorName: try fields.text("author_name", limit: 200, of: .codePoints) ?? author.name,
        isRecruitingRelated: RecruitingClassifier.standard.isRecruitingRelated(content),
        sentiment: SentimentAnalysis.sentiment(of: content, language: try fields.text("language", limit: 20)))
    }
  }
}
