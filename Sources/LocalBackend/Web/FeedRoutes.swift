import Foundation
import Hummingbird

/// `/`, `/tags/{tag}` and `/h/{highlight id}`.
struct FeedRoutes: Sendable {
  let site: PageSite

  /// Highlights of one page of the feed: each brings a poster.
  private static let pageSize = 8
  private static let commentsPageSize = 50
  private var reader: FeedReader { FeedReader(rows: site.rows) }

  func add(to router: Router<BackendContext>) {
    router.get("/") { request, _ in try await feed(request, tag: nil) }
    router.get("tags/:tag") { request, context in
      let tag = try context.parameters.require("tag").removingPercentEncoding ?? ""
      return try await feed(request, tag: tag.lowercased())
    }
    router.get("h/:id") { request, context in
      try await one(context.parameters.require("id"), request, try await site.visitor(of: request))
    }
  }

  private func feed(_ request: Request, tag: String?) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    let cursor = PageCursor(request.uri.queryParameters.get("before"))
    let path = tag.map(PostView.path(ofTag:)) ?? "/"
    let page = try await reader.posts(
      tag.map(FeedReader.Choice.tag) ?? .feed, after: cursor, limit: Self.pageSize, for: visitor.caller)
    var values: [String: Any] = [
      "title": tag.map { "#\($0)" } ?? "Highlights", "heading": tag.map { "#\($0)" } ?? "Highlights",
      "isHeadingShown": tag != nil, "isEmpty": page.posts.isEmpty,
      "emptyTitle": tag == nil ? "No highlights yet" : "Nothing with this tag",
      "emptyText": tag == nil ? "Share a rally and it appears here:" : "Put it into a caption:",
      "posts": page.posts.map { PostView($0, for: visitor.caller) }, "mayReact": visitor.caller.userID != nil,
      "here": cursor.map { "\(path)?before=\($0.text)" } ?? path,
    ]
    if cursor != nil { values["newest"] = path }
    if let next = page.next { values["older"] = "\(path)?before=\(next.text)" }
    return site.page("feed", values, request, visitor)
  }

  /// The page of one highlight.
  /// - Parameters:
  ///   - notice: what went wrong with a comment.
  ///   - unsent: its text.
  func one(
    _ id: String, _ request: Request, _ visitor: PageVisitor, notice: String? = nil, unsent: String = ""
  ) async throws -> Response {
    guard let post = try await reader.post(id, for: visitor.caller) else { throw PageFailure.missing }
    let cursor = PageCursor(request.uri.queryParameters.get("comments"))
    let page = try await reader.comments(
      of: post.id, after: cursor, limit: Self.commentsPageSize, for: visitor.caller)
    var values: [String: Any] = [
      "title": post.caption ?? "Rally", "posts": [PostView(post, for: visitor.caller)], "highlight": post.id,
      "mayReact": visitor.caller.userID != nil, "commentsTitle": PageWords.count(post.commentsCount, "comment"),
      "isSilent": page.comments.isEmpty && cursor == nil, "unsent": unsent,
      "comments": page.comments.map { CommentView($0, for: visitor.caller) },
    ]
    if let notice { values["notice"] = notice }
    if let next = page.next { values["olderComments"] = "/h/\(post.id)?comments=\(next.text)#comments" }
    return site.page("highlight", values, request, visitor, status: notice == nil ? .ok : .unprocessableContent)
  }
}
