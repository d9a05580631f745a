public import Foundation
internal import RowRequests

/// A highlight for a coach: the arguments of `send_highlight`.
public struct HighlightSending: Equatable, Sendable, Codable {
  /// The ID of the link, chosen by the sender. A repeated request with it changes nothing.
  public let id: String
  /// The secret part of the link's address: 22 to 64 characters of base64url.
  public let token: String
  /// The family of the coach.
  public let family: String
  /// The ID of the highlight.
  public let highlight: String
  /// The ID of the coach.
  public let coach: String
  /// How the family sends the link.
  public let channel: HighlightLink.Channel
  /// The text of the interaction, with the link.
  public let message: String
  /// When the link stops working, within a year.
  public let expiresAt: Date

  /// Creates the arguments.
  public init(
    id: String, token: String, family: String, highlight: String, coach: String, channel: HighlightLink.Channel,
    message: String, expiresAt: Date
  ) {
    (self.id, self.token, self.family, self.highlight) = (id, token, family, highlight)
    (self.coach, self.channel, self.message, self.expiresAt) = (coach, channel, message, expiresAt)
  }
}

/// Links that show one highlight to one coach.
extension RecruitingAPI {
  private static let linkColumns =
    "id,highlight_id,coach_id,interaction_id,sent_by,channel,created_at,expires_at,revoked_at,first_opened_at,open_count"

  /// The links that the account can see, the newest first.
  public func links(of family: String) async throws -> [HighlightLink] {
    let links: [HighlightLink] = try await allRows(
      "list the links", "highlight_shares", [("select", Self.linkColumns), ("family_unit_id", "eq.\(family)")])
    return links.sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
  }

  /// Creates a link, logs the interaction and sets the coach's last contact, in one transaction. A repeated request finds
  /// the first link.
  public func send(_ sending: HighlightSending) async throws -> HighlightLink {
    try await value(
      try .call(
        "send the highlight", "send_highlight",
        [
          "id": .text(sending.id), "token": .text(sending.token), "family": .text(sending.family),
          "highlight": .text(sending.highlight), "coach": .text(sending.coach),
          "channel": .text(sending.channel.rawValue),
          "message": try Self.required("message", sending.message, limit: 10_000),
          "expires_at": .time(sending.expiresAt),
        ]))
  }

  /// The ID of the link that an ID or the first characters of one identify.
  public func linkID(_ id: String, in family: String) async throws -> String {
    try await resolve(id, of: "link", in: "highlight_shares", family: family)
  }

  /// Ends a link, and returns when it was ended first.
  public func revokeLink(_ id: String) async throws -> Date {
    try await value(try .call("revoke the link", "revoke_highlight_share", ["id": .text(id)]))
  }
}
