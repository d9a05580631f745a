#if Recruiting
import GRDB
import Hummingbird
import Recruiting

/// The forms of a post: flag, notes, and deletion. The flag and the notes belong to the family.
struct PostForms: Sendable {
  let site: RecruitingSite

  private static let noteLimit = 5000

  func add(to router: Router<BackendContext>) {
    router.post("social/posts/:id/flag") { request, context in
      try await change(request, context) { rows, id, fields in
        try await rows.update("social_media_posts", id, ["flagged_for_review": (fields["on"] == "1").databaseValue])
      }
    }
    router.post("social/posts/:id/notes") { request, context in
      try await change(request, context) { rows, id, fields in
        let notes: DatabaseValue
        do throws(FormProblem) {
          notes = try FormInput(fields).optional("notes", "note", limit: Self.noteLimit)
        } catch {
          throw PageFailure(status: .unprocessableContent, heading: "The note is too long", text: error.text)
        }
        try await rows.update("social_media_posts", id, ["notes": notes])
      }
    }
    router.post("social/posts/:id/delete") { request, context in
      try await change(request, context) { rows, id, _ in try await rows.delete("social_media_posts", ["id": id]) }
    }
  }

  private func change(
    _ request: Request, _ context: BackendContext,
    _ change: (RecruitingRows, String, [String: String]) async throws -> Void
  ) async throws -> Response {
    let (visitor, fields) = try await site.server.site.form(request, context)
    _ = try visitor.user()
    let id = try ReactionRoutes.identifier(try context.parameters.require("id"))
    try await change(RecruitingRows(server: site.server, caller: visitor.caller), id, fields)
    return PageSite.redirect(to: LocalPath.redirectTarget(fields["next"]))
  }
}
#endif
