import Foundation
import GRDB
import Hummingbird
import Social

/// Handles the forms for likes, comments, votes and follows. Each form redirects to the page that shows the change.
struct ReactionRoutes: Sendable {
  let site: PageSite

  private var rows: RowStore { site.rows }

  func add(to router: Router<BackendContext>) {
    router.post("h/:id/like") { request, context in
      let (visitor, fields) = try await site.form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      return try await respond(to: .like(highlight: id, isOn: fields["on"] == "1"), request, visitor)
    }
    router.post("h/:id/comments") { request, context in
      let (visitor, fields) = try await site.form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      let text = Reaction.commentText(in: fields)
      if let notice = Self.problem(ofComment: text) {
        return try await FeedRoutes(site: site).highlight(id, request, visitor, notice: notice, unsent: text)
      }
      return try await respond(to: .comment(text, highlight: id), request, visitor)
    }
    router.post("h/:id/comments/:comment/delete") { request, context in
      let (visitor, _, user) = try await form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      let comment = try Self.identifier(context.parameters.require("comment"))
      let deleted = try await delete(
        "comments", ["id": comment, "highlight_id": id, "author_id": user], visitor.caller)
      guard deleted.count == 1 else { throw PageFailure.notFound }
      return PageSite.redirect(to: "/h/\(id)#comments")
    }
    router.post("h/:id/comments/:comment/like") { request, context in
      let (visitor, fields, user) = try await form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      let comment = try Self.identifier(context.parameters.require("comment"))
      try await setRow("comment_likes", ["user_id": user, "comment_id": comment], fields["on"] == "1", visitor.caller)
      return PageSite.redirect(to: "/h/\(id)#comment-\(comment)")
    }
    router.post("h/:id/comments/:comment/reactions") { request, context in
      let (visitor, fields, user) = try await form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      let comment = try Self.identifier(context.parameters.require("comment"))
      let emoji = fields["add"] ?? fields["remove"] ?? ""
      let reaction = ["user_id": user, "comment_id": comment, "emoji": emoji]
      try await setRow("comment_reactions", reaction, fields["add"] != nil, visitor.caller)
      return PageSite.redirect(to: "/h/\(id)#comment-\(comment)")
    }
    router.post("h/:id/poll") { request, context in
      let (visitor, fields, user) = try await form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      try await vote(for: fields["option"] ?? "", highlight: id, by: user, visitor.caller)
      return PageSite.redirect(to: "/h/\(id)#poll-\(id)")
    }
    router.post("u/:name/follow") { request, context in
      let (visitor, fields) = try await site.form(request, context)
      let name = try context.parameters.require("name").removingPercentEncoding ?? ""
      return try await respond(
        to: .follow(name: name, isOn: fields["on"] == "1"), next: fields["next"].map(LocalPath.redirectTarget), request,
        visitor)
    }
  }

  /// Performs a reaction, or shows the sign-in page that performs it.
  /// - Parameter next: the path of the next page, if it isn't the reaction's page.
  private func respond(
    to reaction: Reaction, next: String? = nil, _ request: Request, _ visitor: PageVisitor
  ) async throws -> Response {
    guard visitor.caller.userID != nil else {
      return site.signInPage(request, visitor, next: next ?? reaction.page, reaction)
    }
    try await perform(reaction, for: visitor.caller)
    return PageSite.redirect(to: next ?? reaction.page)
  }

  /// - Throws: `PageFailure` if the caller has no account, or can't see the target.
  func perform(_ reaction: Reaction, for caller: Caller) async throws {
    guard let user = caller.userID else { throw PageFailure.signInRequired }
    switch reaction {
    case .like(let highlight, let isOn):
      try await setRow("likes", ["user_id": user, "highlight_id": highlight], isOn, caller)
    case .comment(let text, let highlight):
      try await insert("comments", ["highlight_id": highlight, "author_id": user, "text": text], caller)
    case .follow(let name, let isOn):
      guard let person = try await PeopleReader(rows: rows).person(name, for: caller) else {
        throw PageFailure.notFound
      }
      try await follow(person, isOn, by: user, caller)
    }
  }

  /// Returns the reason why a text can't be a comment.
  private static func problem(ofComment text: String) -> String? {
    let limit = SocialLimits.commentLength
    if text.isEmpty { return "The comment is empty." }
    if text.count > limit { return "A comment can have at most \(limit) characters; this one has \(text.count)." }
    if TableSchema.Column.fits(text, limit) { return nil }
    return "A comment can have at most 16,000 bytes; this one has \(text.utf8.count)."
  }

  /// Reads a submitted form. Returns the visitor, the form's fields and the visitor's account ID.
  func form(
    _ request: Request, _ context: BackendContext
  ) async throws -> (visitor: PageVisitor, fields: [String: String], user: String) {
    let (visitor, fields) = try await site.form(request, context)
    return (visitor, fields, try visitor.user())
  }

  private func follow(_ person: Person, _ isOn: Bool, by user: String, _ caller: Caller) async throws {
    let isPublic = person.privacyLevel == "public"
    let follow = ["follower_id": user, "following_id": person.id]
    let request = ["requester_id": user, "target_id": person.id]
    if !isOn || isPublic { try await setRow("follows", follow, isOn, caller) }
    if !isOn || !isPublic { try await setRow("follow_requests", request, isOn, caller) }
  }

  /// Votes in a highlight's poll. The vote replaces an earlier one.
  private func vote(for option: String, highlight: String, by user: String, _ caller: Caller) async throws {
    guard let poll = try await FeedReader(rows: rows).poll(of: highlight, for: caller),
      poll.options.contains(where: { $0.id == option })
    else { throw PageFailure.notFound }
    var command = RowCommand(table: try rows.table("poll_votes"), caller: caller)
    command.query.conflictColumns = ["poll_id", "user_id"]
    command.preferences.conflict = .merge
    let values = ["poll_id": poll.id, "option_id": option, "user_id": user]
    _ = try await rows.insert([values.mapValues(\.databaseValue)], command)
  }

  /// Inserts or deletes the row with these values. If the row already exists, or doesn't exist, nothing changes.
  func setRow(_ table: String, _ values: [String: String], _ isOn: Bool, _ caller: Caller) async throws {
    if isOn {
      try await insert(table, values, caller, ignoringConflictsOn: Array(values.keys))
    } else {
      _ = try await delete(table, values, caller)
    }
  }

  /// Inserts a row.
  /// - Throws: `PageFailure.notFound` if a row rule or foreign key rejects the row, so that hidden rows appear missing.
  ///   If `columns` is `nil`, failed checks are rethrown.
  func insert(
    _ table: String, _ values: [String: String], _ caller: Caller, ignoringConflictsOn columns: [String]? = nil
  ) async throws {
    var command = RowCommand(table: try rows.table(table), caller: caller)
    command.query.conflictColumns = columns
    command.preferences.conflict = columns.map { _ in .ignore }
    do {
      _ = try await rows.insert([values.mapValues(\.databaseValue)], command)
    } catch let failure as PostgRESTFailure
      where ["42501", "23503"].contains(failure.code) || (failure.code == "23514" && columns != nil)
    {
      throw PageFailure.notFound
    }
  }

  /// Inserts a row with a chosen ID, or does nothing if the same form was sent before.
  /// - Returns: whether the table contains the row. If not, the ID belongs to a row with other values.
  /// - Throws: `PageFailure.notFound` if a row rule or foreign key rejects the row. Failed checks are rethrown.
  func insertOnce(_ table: String, _ values: [String: String], _ caller: Caller) async throws -> Bool {
    do {
      return try await rows.insertOnce(values.mapValues(\.databaseValue), into: rows.table(table), for: caller)
    } catch let failure as PostgRESTFailure where ["42501", "23503"].contains(failure.code) {
      throw PageFailure.notFound
    }
  }

  func delete(_ table: String, _ values: [String: String], _ caller: Caller) async throws
    -> RowStore.WriteResult
  {
    var command = RowCommand(table: try rows.table(table), caller: caller)
    command.query.filters = values.map { .equals($0.key, $0.value) }
    return try await rows.delete(command)
  }

  static func identifier(_ text: String) throws(PageFailure) -> String {
    guard let id = UUID(uuidString: text) else { throw .notFound }
    return id.uuidString.lowercased()
  }
}
