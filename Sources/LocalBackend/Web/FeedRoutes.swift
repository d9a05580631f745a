import Foundation
import Hummingbird

/// The pages for highlights: `/`, `/tags/{tag}` and `/h/{highlight id}`.
struct FeedRoutes: Sendable {
  let site: PageSite

  /// The number of highlights per page. It is small, because every highlight loads a poster image.
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
      try await highlight(context.parameters.require("id"), request, try await site.visitor(of: request))
    }
  }

  private func feed(_ request: Request, tag: String?) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    let cursor = PageCursor(request.uri.queryParameters.get("before"))
    let path = tag.map(PageText.path(ofTag:)) ?? "/"
    let page = try await reader.posts(
      tag.map(FeedReader.HighlightSelection.tag) ?? .feed, after: cursor, limit: Self.pageSize, for: visitor.caller)
    let heading = tag.map { "#\($0)" } ?? "Highlights"
    return site.page(
      "feed",
      [
        "title": heading, "heading": heading, "isHeadingShown": tag != nil, "isEmpty": page.rows.isEmpty,
        "emptyTitle": tag == nil ? "No highlights yet" : "No highlights with this tag",
        "emptyText": tag == nil ? "Share a rally to see it here:" : "Add this tag to a caption:",
        "posts": page.rows.map { $0.templateValues(for: visitor.caller) }, "mayReact": visitor.caller.userID != nil,
        "here": cursor.map { "\(path)?before=\($0.text)" } ?? path, "newest": cursor.map { _ in path },
        "older": page.next.map { "\(path)?before=\($0.text)" },
      ], request, visitor)
  }

  /// Renders the page of a highlight.
  /// - Parameters:
  ///   - notice: the reason why a comment was rejected.
  ///   - unsent: the text of the rejected comment.
  func highlight(
    _ id: String, _ request: Request, _ visitor: PageVisitor, notice: String? = nil, unsent: String = ""
  ) async throws -> Response {
    guard let post = try await reader.post(id, for: visitor.caller) else { throw PageFailure.notFound }
    let cursor = PageCursor(request.uri.queryParameters.get("comments"))
    let page = try await reader.comments(of: post.id, after: cursor, limit: Self.commentsPageSize, for: visitor.caller)
    return site.page(
      "highlight",
      [
        "title": post.caption ?? "Rally", "posts": [post.templateValues(for: visitor.caller)], "highlight": post.id,
        "mayReact": visitor.caller.userID != nil, "commentsTitle": PageText.countText(post.commentsCount, "comment"),
        "hasNoComments": page.rows.isEmpty && cursor == nil, "unsent": unsent, "notice": notice,
        "comments": page.rows.map { $0.templateValues(for: visitor.caller) },
        "olderComments": page.next.map { "/h/\(post.id)?comments=\($0.text)#comments" },
      ], request, visitor, status: notice == nil ? .ok : .unprocessableContent)
  }
}
