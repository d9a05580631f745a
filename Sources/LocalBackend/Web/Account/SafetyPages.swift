import ClipModel
import Foundation
import GRDB
import Hummingbird
import Social

/// Blocking, muting and reporting: `/report`, and the forms of profiles. `/guidelines` states the rules.
struct SafetyPages: Sendable {
  let server: ServerDependencies

  private var site: PageSite { server.site }
  private var forms: ReactionRoutes { ReactionRoutes(site: site) }

  /// The reasons for a report, with their labels.
  static let reasons = [
    ("harassment", "Harassment or bullying"), ("inappropriate", "Inappropriate content"), ("spam", "Spam"),
    ("not_sports", "Not about volleyball"), ("impersonation", "Pretends to be another person"),
    ("violence", "Violence"), ("hate_speech", "Hate speech"), ("self_harm", "Self-harm"), ("other", "Another reason"),
  ]
  private static let contentTypes = ["highlight", "comment", "user_profile"]

  func add(to router: Router<BackendContext>) {
    router.get("guidelines") { request, _ in
      site.page("guidelines", ["title": "Community guidelines"], request, try await site.visitor(of: request))
    }
    router.get("report") { request, _ in
      let visitor = try await site.visitor(of: request)
      _ = try visitor.user()
      let query = request.uri.queryParameters
      return try reportPage(query.get("type") ?? "", query.get("id") ?? "", request, visitor)
    }
    router.post("report") { request, context in try await report(request, context) }
    // By ID, because the person can be hidden.
    for (action, own, other) in [
      ("remove-follower", "following_id", "follower_id"), ("unfollow", "follower_id", "following_id"),
    ] {
      router.post("people/:person/\(action)") { request, context in
        let (visitor, fields, user) = try await forms.form(request, context)
        let person = try ReactionRoutes.identifier(context.parameters.require("person"))
        _ = try await forms.delete("follows", [own: user, other: person], visitor.caller)
        return PageSite.redirect(to: LocalPath.redirectTarget(fields["next"]))
      }
    }
    for (action, table, columns) in [
      ("block", "user_blocks", ("blocker_id", "blocked_id")), ("mute", "user_mutes", ("muter_id", "muted_id")),
    ] {
      router.post("people/:person/\(action)") { request, context in
        let (visitor, fields, user) = try await forms.form(request, context)
        let person = try ReactionRoutes.identifier(context.parameters.require("person"))
        try await forms.setRow(table, [columns.0: user, columns.1: person], fields["on"] == "1", visitor.caller)
        return PageSite.redirect(to: LocalPath.redirectTarget(fields["next"]))
      }
    }
  }

  private func reportPage(
    _ type: String, _ id: String, _ request: Request, _ visitor: PageVisitor, notice: String? = nil, text: String = ""
  ) throws -> Response {
    guard Self.contentTypes.contains(type) else { throw PageFailure.notFound }
    return site.page(
      "report",
      [
        "title": "Report", "noun": PageText.noun(ofContent: type), "type": type,
        "target": try ReactionRoutes.identifier(id),
        // A form that is sent twice stores one report.
        "report": ChosenID.new(), "notice": notice, "description": text,
        "reasons": Self.reasons.map { ["value": $0.0, "label": $0.1] },
      ], request, visitor, status: notice == nil ? .ok : .unprocessableContent)
  }

  private func report(_ request: Request, _ context: BackendContext) async throws -> Response {
    let (visitor, fields, user) = try await forms.form(request, context)
    let (type, id) = (fields["type"] ?? "", fields["id"] ?? "")
    let description = (fields["description"] ?? "").replacing("\r\n", with: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    var values = [
      "id": ChosenID.field(fields["report"]), "reporter_id": user, "reported_type": type,
      "reported_id": try ReactionRoutes.identifier(id),
      "report_type": fields["reason"] ?? "",
    ]
    if !description.isEmpty { values["description"] = description }
    do {
      guard try await forms.insertOnce("content_reports", values, visitor.caller) else {
        let notice = "This report was sent before, with other values. Send it again to add another one."
        return try reportPage(type, id, request, visitor, notice: notice, text: description)
      }
    } catch let failure as PostgRESTFailure where ["23514", "23502"].contains(failure.code) {
      let (length, limit) = (TextLimit.characters.length(of: description), SocialLimits.reportDescriptionLength)
      let notice =
        length > limit
        ? "A description can have at most \(limit) characters; this one has \(length)."
        : "The content no longer exists, or the reason is missing."
      return try reportPage(type, id, request, visitor, notice: notice, text: description)
    }
    return PageSite.redirect(to: "/settings#reports")
  }
}
