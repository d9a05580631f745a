import Foundation
import GRDB
import Hummingbird

/// What people do on the pages: like, comment, follow. Forms, answered by the page that shows what has come of it.
struct ReactionRoutes: Sendable {
  let site: PageSite

  private var rows: RowStore { site.rows }

  func add(to router: Router<BackendContext>) {
    router.post("h/:id/like") { request, context in
      let (visitor, fields, user) = try await changing(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      try await set("likes", [("user_id", user), ("highlight_id", id)], fields["on"] == "1", visitor.caller)
      return PageSite.redirect(to: "/h/\(id)")
    }
    router.post("h/:id/comments") { request, context in
      let (visitor, fields, user) = try await changing(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      return try await comment(fields["text"] ?? "", on: id, by: user, request, visitor)
    }
    router.post("h/:id/comments/:comment/delete") { request, context in
      let (visitor, _, user) = try await changing(request, context)
      let id = try Self.identifier(context.parameters.require("id"))
      let comment = try Self.identifier(context.parameters.require("comment"))
      let gone = try await rows.delete(
        try command("comments", [("id", comment), ("highlight_id", id), ("author_id", user)], visitor.caller))
      guard gone.count == 1 else { throw PageFailure.missing }
      return PageSite.redirect(to: "/h/\(id)#comments")
    }
    router.post("u/:name/follow") { request, context in
      let (visitor, fields, user) = try await changing(request, context)
      let name = try context.parameters.require("name").removingPercentEncoding ?? ""
      guard let person = try await PeopleReader(rows: rows).person(name, for: visitor.caller) else {
        throw PageFailure.missing
      }
      try await follow(person, fields["on"] == "1", by: user, visitor.caller)
      return PageSite.redirect(to: person.page)
    }
  }

  /// Who changes something, and the fields of their form.
  private func changing(
    _ request: Request, _ context: BackendContext
  ) async throws -> (visitor: PageVisitor, fields: [String: String], user: String) {
    let (visitor, fields) = try await site.form(request, context)
    return (visitor, fields, try visitor.user())
  }

  private func comment(
    _ text: String, on id: String, by user: String, _ request: Request, _ visitor: PageVisitor
  ) async throws -> Response {
    // Browsers end lines as mail does.
    let text = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      _ = try await rows.insert(
        [["highlight_id": id.databaseValue, "author_id": user.databaseValue, "text": text.databaseValue]],
        RowCommand(rows.table("comments"), as: visitor.caller))
    } catch let failure as PostgRESTFailure where failure.code == "23514" {
      let excess =
        text.count > 500
        ? "A comment has at most 500 characters; this one has \(text.count)."
        : "A comment has at most 16,000 bytes; this one has \(text.utf8.count), for its characters have many parts."
      let notice = text.isEmpty ? "A comment needs words." : excess
      return try await FeedRoutes(site: site).one(id, request, visitor, notice: notice, unsent: text)
    } catch let failure as PostgRESTFailure where Self.isHidden(failure) {
      throw PageFailure.missing
    }
    return PageSite.redirect(to: "/h/\(id)#comments")
  }

  private func follow(_ person: Person, _ isOn: Bool, by user: String, _ caller: Caller) async throws {
    let follows = [("follower_id", user), ("following_id", person.id)]
    let requests = [("requester_id", user), ("target_id", person.id)]
    guard isOn else {
      try await set("follows", follows, false, caller)
      try await set("follow_requests", requests, false, caller)
      return
    }
    if person.privacyLevel == "public" {
      try await set("follows", follows, true, caller)
    } else {
      try await set("follow_requests", requests, true, caller)
    }
  }

  /// Makes the row that holds these values be there or not.
  private func set(_ table: String, _ values: [(String, String)], _ isOn: Bool, _ caller: Caller) async throws {
    guard isOn else {
      _ = try await rows.delete(try command(table, values, caller))
      return
    }
    let row = Dictionary(uniqueKeysWithValues: values.map { ($0.0, $0.1.databaseValue) })
    var command = RowCommand(try rows.table(table), as: caller)
    command.query.conflictColumns = values.map(\.0)
    command.preferences.conflict = .ignore
    do {
      _ = try await rows.insert([row], command)
    } catch let failure as PostgRESTFailure where Self.isHidden(failure) {
      throw PageFailure.missing
    }
  }

  /// Row rules and foreign keys: hidden rows are treated as missing ones.
  private static func isHidden(_ failure: PostgRESTFailure) -> Bool {
    ["42501", "23503", "23514"].contains(failure.code)
  }

  /// About the rows that have these values.
  private func command(_ table: String, _ values: [(String, String)], _ caller: Caller) throws -> RowCommand {
    var command = RowCommand(try rows.table(table), as: caller)
    command.query.filters = values.map { PeopleReader.equals($0.0, $0.1) }
    return command
  }

  private static func identifier(_ text: String) throws(PageFailure) -> String {
    guard let id = UUID(uuidString: text) else { throw .missing }
    return id.uuidString.lowercased()
  }
}
