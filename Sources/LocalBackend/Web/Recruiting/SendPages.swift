#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The page `/h/{id}/send`, on which an athlete creates a link to an own highlight for a coach.
struct SendPages: Sendable {
  let site: RecruitingSite

  private var server: ServerDependencies { site.server }

  func add(to router: Router<BackendContext>) {
    router.get("h/:id/send") { request, context in
      let id = try ReactionRoutes.identifier(try context.parameters.require("id"))
      return try await site.show(request, family: try await athletesFamily(request)) { member in
        try await form(try await highlight(id, member), member, [:])
      }
    }
    router.post("h/:id/send") { request, context in
      let id = try ReactionRoutes.identifier(try context.parameters.require("id"))
      let (member, fields) = try await site.form(request, context)
      return try await send(try await highlight(id, member), fields, member)
    }
    router.post("links/:id/revoke") { request, context in
      try await SentLinks.revoke(request, context, server)
    }
  }

  private static let channels: [(HighlightLink.Channel, label: String)] = HighlightLink.Channel.allCases.map {
    ($0, $0.interactionType.label)
  }

  /// The family in the address, or the first one in which the visitor is an athlete.
  private func athletesFamily(_ request: Request) async throws -> String? {
    struct Row: Decodable, Sendable { var familyUnitId: String }
    if let family = request.uri.queryParameters.get("family") { return family }
    let caller = try await server.site.visitor(of: request).caller
    guard let user = caller.userID else { return nil }
    let rows: [Row] = try await RecruitingRows(server: server, caller: caller).all(
      "family_members", "select=family_unit_id&order=created_at,id",
      [.equals("user_id", user), .equals("role", FamilyRole.athlete.rawValue)])
    return rows.first?.familyUnitId
  }

  private func highlight(_ id: String, _ member: FamilyVisitor) async throws -> SharedPost {
    guard member.role == .athlete else { throw Self.athletesOnly }
    guard let post = try await FeedReader(rows: server.rows).post(id, for: member.visitor.caller),
      post.authorID == member.user
    else { throw PageFailure.notFound }
    return post
  }

  private static let athletesOnly = PageFailure(
    status: .forbidden, heading: "Only athletes send highlights", text: "Athletes send their own highlights to coaches."
  )

  private func form(
    _ post: SharedPost, _ member: FamilyVisitor, _ unsent: [String: String], notice: String? = nil
  ) async throws -> Response {
    let coaches = try await member.coaches().filter { $0.archivedAt == nil }
    let options = coaches.options(try await member.schools().namesByID)
    let hasBase = server.site.publicURL != nil
    var values = page(post, member)
    values["notice"] = notice
    values["explanation"] =
      !hasBase
      ? "Links need an address that others can open. Set the public address of this server, then start it again:"
      : coaches.isEmpty ? "Add the coach first." : nil
    values["command"] = hasBase ? nil : "bsc config set share.base_url https://highlights.example.org"
    values["mayAddCoach"] = hasBase && coaches.isEmpty
    values["addPath"] = member.path("/coaches/add")
    values["mayPrepare"] = hasBase && !coaches.isEmpty
    // A form that is sent twice creates one link.
    values["linkID"] = unsent["link"] ?? ChosenID.new()
    values["linkKey"] = unsent["key"] ?? RandomText.identifier()
    values["messageValue"] = unsent["message"] ?? ""
    values["choices"] = [
      RecruitingSite.choices(
        "coach", "Coach", any: nil, options, current: unsent["coach"] ?? member.parameter("coach")),
      RecruitingSite.choices(
        "channel", "You send it by", any: nil, Self.channels.map { ($0.0.rawValue, $0.label) },
        current: unsent["channel"]),
    ]
    return site.page("send", .coaches, values, member, status: notice == nil ? .ok : .unprocessableContent)
  }

  private func page(_ post: SharedPost, _ member: FamilyVisitor) -> [String: Any?] {
    [
      "title": "Send to a coach", "highlightName": post.caption ?? "Highlight", "action": "/h/\(post.id)/send",
      "cancelPath": "/h/\(post.id)",
    ]
  }

  private func send(_ post: SharedPost, _ fields: [String: String], _ member: FamilyVisitor) async throws -> Response {
    let input = FormInput(fields)
    guard let base = server.site.publicURL, let key = fields["key"], let id = fields["link"] else {
      return try await form(post, member, fields)
    }
    let address = HighlightLink.address(at: base, token: key)
    let note = input.text("message")
    do {
      let coach = try input.reference("coach", among: try await member.coaches().map(\.id))
      let json = try await member.rows.call(
        "send_highlight",
        [
          "id": try ReactionRoutes.identifier(id), "token": key, "family": member.family.id, "highlight": post.id,
          "coach": String.fromDatabaseValue(coach), "channel": input.text("channel"),
          "message": note.isEmpty ? address : "\(note)\n\n\(address)",
        ])
      guard let link = try RowList<HighlightLink>.decode(Data("[".utf8) + json + Data("]".utf8)).rows.first else {
        throw PageFailure.notFound
      }
      return try await sentPage(link, address, post, member)
    } catch let problem as FormProblem {
      return try await form(post, member, fields, notice: problem.text)
    } catch let failure as PostgRESTFailure {
      guard let notice = Self.notice(failure) else { throw failure }
      var fields = fields
      // The link of this form exists. The next form creates another one.
      if failure.code == "PT409" { (fields["link"], fields["key"]) = (nil, nil) }
      return try await form(post, member, fields, notice: notice)
    }
  }

  /// Shows the link. The response is not a redirect, because the link is stored only as a hash.
  private func sentPage(
    _ link: HighlightLink, _ address: String, _ post: SharedPost, _ member: FamilyVisitor
  ) async throws -> Response {
    let coach = try await member.coaches().first { $0.id == link.coachId }
    var values = page(post, member)
    values["address"] = address
    values["recipientName"] = coach?.fullName ?? RecruitingTexts.unknownCoach
    values["expires"] = member.zone.label(link.expiresAt)
    values["interactionPath"] = link.interactionId.map { "/interactions/\($0)" } ?? member.path("/interactions")
    return site.page("send", .coaches, values, member)
  }

  private static func notice(_ failure: PostgRESTFailure) -> String? {
    switch failure.code {
    case "23514", "23502": "Select a coach and how you send the link. The note has at most 9,000 characters."
    case "PT404", "PT409", "42501": RecruitingPageTexts.sentence(failure.message)
    default: nil
    }
  }
}
#endif
