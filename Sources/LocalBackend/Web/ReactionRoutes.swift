import Foundation
import GRDB
import Hummingbird

/// Handles the forms for likes, comments and follows. Each form redirects to the page that shows the change.
struct ReactionRoutes: Sendable {
  let site: PageSite

  private var rows: RowStore { site.rows }

  func add(to router: Router<BackendContext>) {
    router.post("h/:id/like") { request, context in
      let (visitor, fields, user) = try await form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      try await setRow("likes", ["user_id": user, "highlight_id": id], fields["on"] == "1", visitor.caller)
      return PageSite.redirect(to: "/h/\(id)")
    }
    router.post("h/:id/comments") { request, context in
      let (visitor, fields, user) = try await form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      return try await comment(fields["text"] ?? "", on: id, by: user, request, visitor)
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
    router.post("h/:id/comments/:comment/reactions") { request, context in
      let (visitor, fields, user) = try await form(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      let comment = try Self.identifier(context.parameters.require("comment"))
      let emoji = fields["add"] ?? fields["remove"] ?? ""
      let reaction = ["user_id": user, "comment_id": comment, "emoji": emoji]
      try await setRow("comment_reactions", reaction, fields["add"] != nil, visitor.caller)
      return PageSite.redirect(to: "/h/\(id)#comment-\(comment)")
    }
    router.post("u/:name/follow") { request, context in
      let (visitor, fields, user) = try await form(request, context)
      let name = try context.parameters.require("name").removingPercentEncoding ?? ""
      guard let person = try await PeopleReader(rows: rows).person(name, for: visitor.caller) else {
        throw PageFailure.notFound
      }
      try await follow(person, fields["on"] == "1", by: user, visitor.caller)
      return PageSite.redirect(to: fields["next"].map(LocalPath.redirectTarget) ?? person.page)
    }
  }

  /// Reads a submitted form. Returns the visitor, the form's fields and the visitor's account ID.
  func form(
    _ request: Request, _ context: BackendContext
  ) async throws -> (visitor: PageVisitor, fields: [String: String], user: String) {
    let (visitor, fields) = try await site.form(request, context)
    return (visitor, fields, try visitor.user())
  }

  private func comment(
    _ text: String, on id: String, by user: String, _ request: Request, _ visitor: PageVisitor
  ) async throws -> Response {
    // Forms contain CRLF line breaks.
    let text = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      try await insert("comments", ["highlight_id": id, "author_id": user, "text": text], visitor.caller)
    } catch let failure as PostgRESTFailure where failure.code == "23514" {
      let notice =
        text.isEmpty
        ? "The comment is empty."
        : text.count > 500
          ? "A comment can have at most 500 characters; this one has \(text.count)."
          : "A comment can have at most 16,000 bytes; this one has \(text.utf8.count)."
      return try await FeedRoutes(site: site).highlight(id, request, visitor, notice: notice, unsent: text)
    }
    return PageSite.redirect(to: "/h/\(id)#comments")
  }

  private func follow(_ person: Person, _ isOn: Bool, by user: String, _ caller: Caller) async throws {
    let isPublic = person.privacyLevel == "public"
    let follow = ["follower_id": user, "following_id": person.id]
    let request = ["requester_id": user, "target_id": person.id]
    if !isOn || isPublic { try await setRow("follows", follow, isOn, caller) }
    if !isOn || !isPublic { try await setRow("follow_requests", request, isOn, caller) }
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
