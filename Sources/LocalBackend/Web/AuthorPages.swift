import ClipModel
import Foundation
import GRDB
import Hummingbird

/// The forms on the page of the visitor's own highlight: its texts and level, a part of its video, and its deletion.
struct AuthorPages: Sendable {
  let site: PageSite
  let trims: TrimRoutes

  private var forms: ReactionRoutes { ReactionRoutes(site: site) }
  private var feed: FeedRoutes { FeedRoutes(site: site) }

  func add(to router: Router<BackendContext>) {
    router.post("h/:id/edit") { request, context in
      let (visitor, fields, user) = try await forms.form(request, context)
      let id = try ReactionRoutes.identifier(context.parameters.require("id"))
      let isConfirmed = fields["confirm"] == "yes"
      if !isConfirmed, try await isFirstPublicPost(fields, id, of: user, visitor.caller) {
        return confirmation(of: fields, id, request, visitor)
      }
      do {
        try await save(fields, id, of: user, visitor.caller)
      } catch let failure as PostgRESTFailure where failure.code == "23514" {
        return try await feed.highlight(
          id, request, visitor, notice: "A caption can have at most 2,200 characters. A tag has no spaces.")
      }
      if isConfirmed {
        let now = timestampText(site.rows.now())
        try await site.rows.storeSettings(["first_post_confirmed_at": now.databaseValue], of: user, visitor.caller)
      }
      return PageSite.redirect(to: "/h/\(id)")
    }
    router.post("h/:id/trim") { request, context in
      let (visitor, fields, user) = try await forms.form(request, context)
      let id = try ReactionRoutes.identifier(context.parameters.require("id"))
      do {
        guard let from = fields["from"].flatMap(Double.init), let to = fields["to"].flatMap(Double.init) else {
          throw BackendFailure.invalid(["from and to must be numbers"], status: .unprocessableContent)
        }
        _ = try await trims.trim(id, of: user, from: from, to: to)
      } catch let failure as BackendFailure where failure.status != .notFound {
        return try await feed.highlight(id, request, visitor, notice: Self.notice(failure))
      }
      return PageSite.redirect(to: "/h/\(id)")
    }
    router.post("h/:id/delete") { request, context in
      let (visitor, _, user) = try await forms.form(request, context)
      let id = try ReactionRoutes.identifier(context.parameters.require("id"))
      let deleted = try await forms.delete("highlights", ["id": id, "author_id": user], visitor.caller)
      guard deleted.count == 1 else { throw PageFailure.notFound }
      return PageSite.redirect(to: "/u/\(user)")
    }
  }

  private static func notice(_ failure: BackendFailure) -> String {
    switch failure.status {
    case .unprocessableContent: "Choose a part of 3 to 60 seconds within the video."
    case .conflict: "This video can't be trimmed now."
    default: "The video could not be trimmed."
    }
  }

  /// Whether the visitor makes their own highlight public and has never confirmed a public highlight. `bsc share` uses the
  /// same setting.
  private func isFirstPublicPost(
    _ fields: [String: String], _ id: String, of user: String, _ caller: Caller
  ) async throws -> Bool {
    guard fields["level"] == "public", let post = try await FeedReader(rows: site.rows).post(id, for: caller),
      post.authorID == user, post.privacyLevel != "public"
    else { return false }
    return try await site.rows.store.database.read { db in
      try !db.hasRow(
        "SELECT 1 FROM user_settings WHERE user_id = ? AND first_post_confirmed_at IS NOT NULL", [user])
    }
  }

  /// The question before the account's first public highlight. Its form sends the same fields again.
  private func confirmation(
    of fields: [String: String], _ id: String, _ request: Request, _ visitor: PageVisitor
  ) -> Response {
    let kept = fields.filter { !["token", "confirm"].contains($0.key) }.sorted { $0.key < $1.key }
    return site.page(
      "confirm",
      [
        "title": "Public highlight", "highlight": id,
        "kept": kept.map { ["field": $0.key, "value": $0.value.replacing("\r\n", with: "\n")] },
      ], request, visitor)
  }

  private func save(_ fields: [String: String], _ id: String, of user: String, _ caller: Caller) async throws {
    let caption = (fields["caption"] ?? "").replacing("\r\n", with: "\n").trimmingCharacters(
      in: .whitespacesAndNewlines)
    var known: Set<String> = []
    let tags = (Self.tags(fields["tags"] ?? "") + CaptionTags.extractHashtags(in: caption))
      .filter { known.insert($0).inserted }
    var command = RowCommand(table: try site.rows.table("highlights"), caller: caller)
    command.query.filters = [.equals("id", id), .equals("author_id", user)]
    let list = JSONValue(.array(tags.map { JSONValue(.string($0), at: 0) }), at: 0).text
    let values: [String: DatabaseValue] = [
      "caption": caption.isEmpty ? .null : caption.databaseValue, "tags": list.databaseValue,
      "privacy_level": (fields["level"] ?? "").databaseValue,
      "allow_downloads": (fields["downloads"] != nil).databaseValue,
      "hide_likes": (fields["hides_likes"] != nil).databaseValue,
    ]
    guard try await site.rows.update(values, command).count == 1 else { throw PageFailure.notFound }
  }

  /// The tags of a field, separated by spaces or commas, with or without `#`.
  static func tags(_ text: String) -> [String] {
    text.lowercased().split { $0.isWhitespace || $0 == "," || $0 == "#" }.map(String.init)
  }
}

extension SharedPost {
  /// The values of the author's forms.
  var authorValues: [String: Any] {
    let single = (videoUrls ?? []).count < 2 && muxPlaybackID?.contains("/") == false
    let values: [String: Any?] = [
      "edit": [
        "editCaption": caption ?? "", "editTags": tags.map { "#\($0)" }.joined(separator: " "),
        "editLevels": SettingsPages.levels(privacyLevel), "editDownloads": allowDownloads, "editHidesLikes": hideLikes,
      ] as [String: Any],
      "trim": single ? duration.map { ["trimEnd": ($0 * 10).rounded(.down) / 10] } : nil,
    ]
    return values.compactMapValues(\.self)
  }
}
