#if Recruiting
import Foundation
import Hummingbird
import Recruiting

/// The links that a family has sent to a coach, and the form that revokes one.
enum SentLinks {
  /// The values of the template `links`.
  /// - Parameter path: the path of the page, to which the form returns.
  static func values(
    to coach: Coach, _ member: FamilyVisitor, returningTo path: String
  ) async throws -> [String: Any?] {
    let links: [HighlightLink] = try await member.rows.all(
      "highlight_shares", "select=*&order=created_at.desc,id", [member.inFamily, .equals("coach_id", coach.id)])
    let captions = try await captions(of: Set(links.map(\.highlightId)), member)
    return [
      "hasLinks": !links.isEmpty,
      "links": links.map { link in
        let state = link.state(at: member.now)
        return [
          "linkID": link.id, "linkNext": path, "highlightPath": "/h/\(link.highlightId)",
          "highlightName": captions[link.highlightId] ?? "Highlight", "stateName": state.rawValue,
          "stateLabel": label(of: state), "channelLabel": link.channel.interactionType.label,
          "sent": member.zone.label(link.createdAt), "sentISO": RecruitingDate.format(link.createdAt),
          "opens": opens(of: link, member.zone),
          "mayRevoke": state == .active && (member.role == .parent || link.sentBy == member.user),
        ] as [String: Any]
      },
    ]
  }

  /// The captions of the highlights that the visitor can see.
  private static func captions(of ids: Set<String>, _ member: FamilyVisitor) async throws -> [String: String] {
    struct Row: Decodable, Sendable {
      var id: String
      var caption: String?
    }
    if ids.isEmpty { return [:] }
    let filter = RowFilter.comparison(column: "id", isNegated: false, .isOneOf(ids.sorted()))
    let rows: [Row] = try await member.rows.all("highlights", "select=id,caption", [filter])
    return Dictionary(rows.compactMap { row in row.caption.flatMap { $0.isEmpty ? nil : (row.id, $0) } }) { $1 }
  }

  private static func label(of state: HighlightLink.State) -> String {
    switch state {
    case .active: "Active"
    case .revoked: "Revoked"
    case .expired: "Expired"
    }
  }

  private static func opens(of link: HighlightLink, _ zone: RecruitingTimeZone) -> String {
    guard let first = link.firstOpenedAt else { return "Not opened yet" }
    return "Opened \(PageText.countText(link.openCount, "time")), first on \(zone.label(first))"
  }

  static func revoke(_ request: Request, _ context: BackendContext, _ server: ServerDependencies) async throws
    -> Response
  {
    let (visitor, fields) = try await server.site.form(request, context)
    _ = try visitor.user()
    let id = try ReactionRoutes.identifier(try context.parameters.require("id"))
    do {
      _ = try await RecruitingRows(server: server, caller: visitor.caller).call("revoke_highlight_share", ["id": id])
    } catch let failure as PostgRESTFailure where failure.code == "PT404" {
      throw PageFailure.notFound
    }
    return PageSite.redirect(to: LocalPath.redirectTarget(fields["next"]))
  }
}
#endif
