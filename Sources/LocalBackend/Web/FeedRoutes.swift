import Foundation
import GRDB
import Hummingbird

/// The pages for highlights: `/`, `/tags/{tag}`, `/u/{name or id}/highlights` and `/h/{highlight id}`.
struct FeedRoutes: Sendable {
  let site: PageSite

  /// The number of highlights per page. It is small, because every highlight loads a poster image.
  private static let pageSize = 8
  private static let commentsPageSize = 50
  private var reader: FeedReader { FeedReader(rows: site.rows) }

  func add(to router: Router<BackendContext>) {
    router.get("/") { request, _ in
      let visitor = try await site.visitor(of: request)
      return try await feed(.standard(for: visitor), request, visitor)
    }
    for tab in FeedTab.allCases {
      router.get("\(tab.rawValue)") { request, _ in
        let visitor = try await site.visitor(of: request)
        if tab.requiresAccount, visitor.caller.userID == nil {
          return PageSite.redirect(to: "/sign-in?next=\(LocalPath.percentEncoded(tab.path))")
        }
        return try await feed(tab, request, visitor)
      }
    }
    router.get("tags/:tag") { request, context in
      let tag = try context.parameters.require("tag").removingPercentEncoding ?? ""
      return try await tagged(tag.lowercased(), request)
    }
    router.get("u/:name/highlights") { request, context in
      let name = try context.parameters.require("name").removingPercentEncoding ?? ""
      return try await highlights(ofPerson: name, request)
    }
    router.get("h/:id") { request, context in
      try await highlight(context.parameters.require("id"), request, try await site.visitor(of: request))
    }
  }

  /// A page of highlights, with the paths of this page and of the next one.
  private struct FeedPage {
    var posts: [SharedPost]
    var here: String
    var isFirst: Bool
    var older: String?
  }

  private func feed(_ tab: FeedTab, _ request: Request, _ visitor: PageVisitor) async throws -> Response {
    let caller = visitor.caller
    let page: FeedPage
    switch tab {
    case .following: page = try await newest(.following(try visitor.user()), at: tab.path, request, caller)
    case .latest: page = try await newest(.feed, at: tab.path, request, caller)
    case .discover:
      page = try await best(at: tab.path, request, caller) { .discover(for: caller, limit: $0, offset: $1) }
    case .forYou:
      let user = try visitor.user()
      // Later pages have the time of the first one.
      let time = request.uri.queryParameters.get("liked").flatMap(TimestampText.normalized)
      let likedBefore = time ?? timestampText(site.rows.now())
      page = try await best(
        at: tab.path, more: "&liked=\(likedBefore.replacing("+00:00", with: ""))", request, caller
      ) { .forYou(user, limit: $0, offset: $1, likedBefore: likedBefore) }
    }
    let people = PeopleReader(rows: site.rows)
    let suggestions =
      tab == .following && page.posts.isEmpty ? try await people.suggestions(limit: 10, for: caller) : []
    let (title, text) = Self.emptyTexts[tab] ?? ("", "")
    return render(
      page,
      [
        "title": tab == .latest ? "Highlights" : tab.label, "heading": tab.label, "hasTabs": true,
        "tabs": FeedTab.values(current: tab),
        "emptyTitle": title,
        "emptyText": text, "showsCommand": tab == .latest, "hasPeople": !suggestions.isEmpty,
        "people": try await people.values(of: suggestions, for: caller, returningTo: tab.path),
      ], request, visitor)
  }

  private static let emptyTexts: [FeedTab: (title: String, text: String)] = [
    .following: ("No highlights yet", "Highlights of people whom you follow appear here."),
    .discover: ("Nothing to discover yet", "Public highlights of the last 30 days appear here."),
    .forYou: ("Nothing for you yet", "Like highlights to see what people with the same taste like."),
    .latest: ("No highlights yet", "Share a rally to see it here:"),
  ]

  private func tagged(_ tag: String, _ request: Request) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    let page = try await newest(.tag(tag), at: PageText.path(ofTag: tag), request, visitor.caller)
    return render(
      page,
      [
        "title": "#\(tag)", "heading": "#\(tag)", "isHeadingShown": true,
        "emptyTitle": "No highlights with this tag", "emptyText": "Add this tag to a caption:", "showsCommand": true,
      ], request, visitor)
  }

  /// A person's highlights, which the tiles of the profile open.
  private func highlights(ofPerson name: String, _ request: Request) async throws -> Response {
    let visitor = try await site.visitor(of: request)
    guard let person = try await PeopleReader(rows: site.rows).person(name, for: visitor.caller) else {
      throw PageFailure.notFound
    }
    let page = try await newest(.author(person.id), at: "\(person.page)/highlights", request, visitor.caller)
    let title = "Highlights of \(person.displayName)"
    return render(
      page, ["title": title, "heading": title, "emptyTitle": "No visible highlights", "emptyText": ""], request, visitor
    )
  }

  private func render(
    _ page: FeedPage, _ values: [String: Any?], _ request: Request, _ visitor: PageVisitor
  ) -> Response {
    let common: [String: Any?] = [
      "isEmpty": page.posts.isEmpty, "posts": page.posts.map { $0.templateValues(for: visitor.caller) },
      "mayReact": visitor.caller.userID != nil, "here": page.here,
      "newest": page.isFirst ? nil : String(page.here.prefix { $0 != "?" }), "older": page.older,
    ]
    return site.page("feed", common.merging(values) { $1 }, request, visitor)
  }

  /// Reads a page of highlights from newest to oldest.
  private func newest(
    _ selection: FeedReader.HighlightSelection, at path: String, _ request: Request, _ caller: Caller
  ) async throws -> FeedPage {
    let query = request.uri.queryParameters
    let cursor = PageCursor(query.get("before")) ?? PageCursor(query.get("from"), includesRow: true)
    let page = try await reader.posts(selection, after: cursor, limit: Self.pageSize, for: caller)
    return FeedPage(
      posts: page.rows, here: cursor.map { "\(path)?\($0.includesRow ? "from" : "before")=\($0.text)" } ?? path,
      isFirst: cursor == nil,
      older: page.next.map { "\(path)?before=\($0.text)" })
  }

  /// Reads a page of highlights in the order of their scores.
  /// - Parameter more: what the addresses of later pages contain after the number of rows.
  private func best(
    at path: String, more: String = "", _ request: Request, _ caller: Caller,
    _ restriction: (_ limit: Int, _ offset: Int) -> RowStore.Restriction
  ) async throws -> FeedPage {
    let offset = request.skippedRowCount
    let posts = try await reader.posts(restriction(Self.pageSize + 1, offset), for: caller)
    return FeedPage(
      posts: Array(posts.prefix(Self.pageSize)), here: offset == 0 ? path : "\(path)?skip=\(offset)\(more)",
      isFirst: offset == 0, older: posts.count > Self.pageSize ? "\(path)?skip=\(offset + Self.pageSize)\(more)" : nil)
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
    var postValues = post.templateValues(for: visitor.caller)
    if visitor.menu.isAthlete, visitor.caller.userID == post.authorID { postValues["sendPath"] = "/h/\(post.id)/send" }
    if let user = visitor.caller.userID, user == post.authorID { postValues.merge(post.authorValues) { $1 } }
    if let poll = try await reader.poll(of: post.id, for: visitor.caller) {
      postValues["poll"] = poll.templateValues(own: try await reader.ownVote(in: poll, for: visitor.caller))
    }
    let values: [String: Any?] = [
      "title": post.caption ?? "Rally", "posts": [postValues], "unsent": unsent,
      "notice": notice, "events": cursor == nil ? "/events/h/\(post.id)" : nil,
      "preview": try await preview(of: post.id, request),
    ]
    return site.page(
      "highlight", try await commentValues(of: post, after: cursor, for: visitor).merging(values) { $1 }, request,
      visitor, status: notice == nil ? .ok : .unprocessableContent)
  }

  /// Returns the values of the tags with which other programs show a link to a highlight. If visitors without an account
  /// can't see the highlight, no viewer gets the tags, because such programs keep what they read.
  private func preview(of id: String, _ request: Request) async throws -> [String: Any]? {
    guard let post = try await reader.post(id, for: .anonymous), let video = post.muxPlaybackID,
      video.wholeMatch(of: /[A-Za-z0-9_\-]+/) != nil
    else { return nil }
    let base = site.baseURL(of: request)
    let values: [String: Any?] = [
      "previewTitle": post.author.map { "Highlight of \($0.displayName)" } ?? "Highlight",
      "previewText": post.caption.map { String($0.prefix(300)) }, "previewURL": "\(base)/h/\(post.id)",
      "previewImage": "\(base)/image/\(video)/thumbnail.jpg?time=2",
    ]
    return values.compactMapValues(\.self)
  }

  /// Returns the values for the template `comments`.
  private func commentValues(
    of post: SharedPost, after cursor: PageCursor?, for visitor: PageVisitor
  ) async throws -> [String: Any?] {
    let page = try await reader.comments(of: post.id, after: cursor, limit: Self.commentsPageSize, for: visitor.caller)
    let own = try await reader.ownReactions(to: page.rows, for: visitor.caller)
    return [
      "highlight": post.id, "mayReact": visitor.caller.userID != nil,
      "commentsTitle": PageText.countText(post.commentsCount, "comment"),
      "hasNoComments": page.rows.isEmpty && cursor == nil,
      "comments": page.rows.map { $0.templateValues(for: visitor.caller, own: own[$0.id] ?? []) },
      "olderComments": page.next.map { "/h/\(post.id)?comments=\($0.text)#comments" },
    ]
  }

  /// Renders the parts of a highlight's page that change while it is open: likes and comments.
  /// - Returns: `nil` if the visitor can't see the highlight.
  func liveParts(of id: String, for visitor: PageVisitor) async throws -> String? {
    guard let post = try await reader.post(id, for: visitor.caller) else { return nil }
    let values: [String: Any?] = try await commentValues(of: post, after: nil, for: visitor)
    let all = values.merging(post.templateValues(for: visitor.caller)) { $1 }
      .merging(["formToken": visitor.formToken]) { $1 }
    return site.library.text("actions", all) + site.library.text("comments", all)
  }
}
