import ClipModel
import Foundation
import GRDB
import Hummingbird

/// The page `/settings`: the profile, privacy, blocked and muted people, reports, and the account itself.
struct SettingsPages: Sendable {
  let server: ServerDependencies

  private var site: PageSite { server.site }
  private var rows: RowStore { server.rows }
  private var forms: ReactionRoutes { ReactionRoutes(site: site) }

  func add(to router: Router<BackendContext>) {
    router.get("settings") { request, _ in try await page(request, try await site.visitor(of: request)) }
    AvatarPages(server: server, settings: self).add(to: router)
    router.post("settings/profile") { request, context in try await saveProfile(request, context) }
    router.post("settings/defaults") { request, context in
      let (visitor, fields, user) = try await forms.form(request, context)
      try await rows.storeSettings(
        [
          "share_privacy_level": (fields["level"] ?? "public").databaseValue,
          "allow_downloads": (fields["downloads"] != nil).databaseValue,
        ], of: user, visitor.caller)
      return PageSite.redirect(to: "/settings")
    }
    router.post("settings/notifications") { request, context in
      let (visitor, fields, user) = try await forms.form(request, context)
      try await rows.storeSettings(["push_enabled": (fields["push"] != nil).databaseValue], of: user, visitor.caller)
      return PageSite.redirect(to: "/settings#push")
    }
    router.post("settings/birth-date") { request, context in
      let (visitor, fields, _) = try await forms.form(request, context)
      do {
        _ = try await AgeRules.setBirthDate(
          server.call("set_birth_date", as: visitor, ["born": fields["born"] ?? ""]))
      } catch let failure as PostgRESTFailure {
        let reason = ["PT403", "PT409"].contains(failure.code) ? failure.message : "not a date of birth"
        return try await page(request, visitor, notice: "The date was not saved: \(reason).")
      }
      return PageSite.redirect(to: "/settings?saved=birth-date#birth-date")
    }
    router.post("settings/withdraw") { request, context in
      let (visitor, fields, _) = try await forms.form(request, context)
      do {
        _ = try await RPCFunction.withdrawReport(
          server.call("withdraw_report", as: visitor, ["report": fields["report"] ?? ""]))
      } catch let failure as PostgRESTFailure where ["PT404", "PT409"].contains(failure.code) {
        // A moderator has reviewed the report, or it was withdrawn in another window. The page shows its current status.
      }
      return PageSite.redirect(to: "/settings#reports")
    }
    router.get("settings/export") { request, _ in
      let visitor = try await site.visitor(of: request)
      _ = try visitor.user()
      var response = try await AccountExport.export(server.call("export_account", as: visitor))
      response.headers.set("content-disposition", to: "attachment; filename=\"account.json\"")
      return response
    }
    router.post("settings/delete") { request, context in try await deleteAccount(request, context) }
    router.post("settings/restore") { request, context in
      let (visitor, _, user) = try await forms.form(request, context)
      _ = try await forms.delete("account_deletions", ["user_id": user], visitor.caller)
      return PageSite.redirect(to: "/settings")
    }
  }

  // MARK: Reading

  private struct Settings: Decodable {
    var allowDownloads = false
    var sharePrivacyLevel = "public"
    var pushEnabled = true
  }

  private struct Report: Decodable {
    var id: String
    var reportedType: String
    var status: String
    var createdAt: String
  }

  /// Renders the page.
  /// - Parameters:
  ///   - notice: the reason why a form was rejected.
  ///   - unsent: the fields of a rejected profile.
  func page(
    _ request: Request, _ visitor: PageVisitor, notice: String? = nil, unsent: [String: String] = [:]
  ) async throws -> Response {
    let user = try visitor.user()
    let stored: [Settings] = try await own("user_settings", "user_id", user, "select=*", visitor.caller)
    let settings = stored.first
    let deletion: [[String: String]] = try await own(
      "account_deletions", "user_id", user, "select=deletes_at", visitor.caller)
    let reports: [Report] = try await own(
      "content_reports", "reporter_id", user,
      "select=id,reported_type,status,created_at&order=created_at.desc&limit=50", visitor.caller)
    let person = visitor.person
    let (blocked, muted) = (try await blockedPeople(visitor), try await mutedPeople(user, visitor.caller))
    return site.page(
      "settings",
      [
        "title": "Settings", "notice": notice,
        "isBirthDateSaved": request.uri.queryParameters.get("saved") == "birth-date",
        "hasOwnPicture": person?.avatarUrl != nil,
        "displayName": unsent["name"] ?? person?.displayName, "username": unsent["username"] ?? person?.username,
        "team": unsent["team"] ?? person?.teamName ?? "", "bio": unsent["bio"] ?? person?.bio ?? "",
        "levels": Self.levels(unsent["level"] ?? person?.privacyLevel ?? "public"),
        "shareLevels": Self.levels(settings?.sharePrivacyLevel ?? "public"),
        "allowsDownloads": settings?.allowDownloads ?? false, "isPushEnabled": settings?.pushEnabled ?? true,
        "blocked": blocked, "hasBlocked": !blocked.isEmpty, "muted": muted, "hasMuted": !muted.isEmpty,
        "hasOwnReports": !reports.isEmpty,
        "reports": reports.map { report in
          [
            "report": report.id, "noun": PageText.noun(ofContent: report.reportedType),
            "status": report.status.replacing("_", with: " "), "isPending": report.status == "pending",
            "created": PageText.formatTime(report.createdAt), "createdISO": report.createdAt,
          ] as [String: Any]
        },
        "deletesAt": (deletion.first?["deletes_at"]).map(PageText.formatTime),
        "mayDelete": visitor.session != nil && deletion.isEmpty,
      ], request, visitor, status: notice == nil ? .ok : .unprocessableContent)
  }

  private func own<Row: Decodable>(
    _ table: String, _ column: String, _ user: String, _ query: String, _ caller: Caller
  ) async throws -> [Row] {
    var query = try RowQuery(query)
    query.filters = [.equals(column, user)]
    return try await rows.decodeRows(rows.table(table), query, caller)
  }

  static func levels(_ current: String) -> [[String: Any]] {
    let labels = ["public": "Everyone", "followers_only": "Followers only", "private": "Only me"]
    return ["public", "followers_only", "private"].map {
      ["value": $0, "label": labels[$0] ?? $0, "isCurrent": $0 == current]
    }
  }

  private func blockedPeople(_ visitor: PageVisitor) async throws -> [[String: Any]] {
    struct Row: Decodable {
      var id: String
      var displayName: String?
      var username: String?
    }
    let restriction = try await BlockedPeople.restriction(server.call("blocked_people", as: visitor))
    let people: [Row] = try await rows.decodeRows(
      BlockedPeople.table, RowQuery("select=*"), visitor.caller, restriction)
    return people.map {
      ["personID": $0.id, "name": $0.displayName ?? "Unknown user", "handle": $0.username.map { "@\($0)" } ?? ""]
    }
  }

  private func mutedPeople(_ user: String, _ caller: Caller) async throws -> [[String: Any]] {
    struct Row: Decodable {
      var mutedID: String
      var muted: Person?
    }
    let rows: [Row] = try await own(
      "user_mutes", "muter_id", user,
      "select=muted_id,muted:profiles!muted_id(\(PeopleReader.columns))&order=created_at.desc", caller)
    return rows.map {
      [
        "personID": $0.mutedID, "name": $0.muted?.displayName ?? "Unknown user",
        "handle": $0.muted.map { "@\($0.username)" } ?? "",
      ]
    }
  }

  // MARK: Writing

  private func saveProfile(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (visitor, fields, user) = try await forms.form(request, context)
    func text(_ name: String) -> String { (fields[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
    func optional(_ name: String) -> DatabaseValue { text(name).isEmpty ? .null : text(name).databaseValue }
    var command = RowCommand(table: try rows.table("profiles"), caller: visitor.caller)
    command.query.filters = [.equals("id", user)]
    var values: [String: DatabaseValue] = [
      "display_name": text("name").databaseValue, "team_name": optional("team"), "bio": optional("bio"),
      "privacy_level": text("level").databaseValue,
    ]
    if !text("username").isEmpty { values["username"] = text("username").databaseValue }
    do {
      _ = try await rows.update(values, command)
    } catch let failure as PostgRESTFailure where ["23514", "23505"].contains(failure.code) {
      let notice =
        failure.code == "23505"
        ? "Another account has this username."
        : failure.constraint == "profiles_username_check"
          ? "A username has 3 to 30 letters, digits, _ and ., and some are reserved."
          : "A name has 1 to 50 characters, a team at most 80, and a bio at most 160."
      return try await page(request, visitor, notice: notice, unsent: fields)
    }
    return PageSite.redirect(to: "/settings")
  }

  /// Schedules the deletion, which also ends all sessions.
  private func deleteAccount(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (visitor, fields, user) = try await forms.form(request, context)
    guard let session = visitor.session else { throw PageFailure.signInRequired }
    guard fields["confirm"] == "yes" else {
      return try await page(request, visitor, notice: "Confirm that the account will be deleted.")
    }
    _ = try await server.store.requestDeletion(of: user, now: server.now)
    return PageSite.redirect(to: "/", cookie: try await site.sessions.end(session, request))
  }
}
