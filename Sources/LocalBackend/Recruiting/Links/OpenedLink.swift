#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Recruiting

/// The content of a link's page.
struct OpenedLink: Sendable {
  var shareID: String
  var highlightID: String
  var caption: String?
  var duration: Double?
  /// The addresses that work without a token; null for a closed video.
  var muxPlaybackID: String?
  var videoURLs: [String]?
  var thumbnailURL: String?
  /// The clips in order; null for videos that this server doesn't have.
  var clips: [Clip]?
  var displayName: String
  var teamName: String?
  var createdAt: String
  var expiresAt: String

  struct Clip: Encodable, Sendable {
    var part: Int
    /// Whether the addresses of the clip need tokens.
    var isSigned: Bool
    var playbackID: String
  }

  /// The response of `open_highlight_share`.
  var document: JSONObject {
    func orNull(_ value: (any Encodable)?) -> any Encodable { value ?? JSONObject.Null() }
    return [
      "share_id": shareID, "highlight_id": highlightID, "caption": orNull(caption), "duration": orNull(duration),
      "mux_playback_id": orNull(muxPlaybackID), "video_urls": orNull(videoURLs), "thumbnail_url": orNull(thumbnailURL),
      "clips": orNull(clips), "display_name": displayName, "team_name": orNull(teamName), "created_at": createdAt,
      "expires_at": expiresAt,
    ]
  }
}

extension OpenedLink {
  /// Opens a link, and counts the opening unless the viewer is a member of the family.
  /// - Parameters:
  ///   - viewer: the account ID of a signed-in viewer.
  ///   - isCounted: whether a person opened the link, and not a program that creates a preview.
  /// - Throws: PT404 if there is no such link, or if its highlight or author is gone; PT410 if it was revoked or has
  ///   expired.
  static func open(
    _ token: String?, viewer: DatabaseValue = .null, isCounted: Bool = true, in db: Database, now: Date
  ) throws -> OpenedLink {
    let link = try token.flatMap { token in
      try Row.fetchOne(
        db,
        sql: """
          SELECT s.id, s.highlight_id, s.family_unit_id, s.expires_at, s.revoked_at FROM highlight_shares AS s
          JOIN highlights AS h ON h.id = s.highlight_id AND h.is_ready
          WHERE s.token_hash = ? AND NOT EXISTS (SELECT 1 FROM account_deletions AS d WHERE d.user_id = s.sent_by)
          """, arguments: [InvitationCode.sha256(token)])
    }
    guard let link else { throw PostgRESTFailure(.notFound, "PT404", "the link does not exist") }
    let id: String = link["id"]
    let time = timestampText(now)
    if !(link["revoked_at"] as DatabaseValue).isNull {
      throw PostgRESTFailure(.gone, "PT410", "the link was revoked")
    }
    if (link["expires_at"] as String) <= time { throw PostgRESTFailure(.gone, "PT410", "the link has expired") }
    let isMember = try db.hasRow(
      "SELECT 1 FROM family_members WHERE family_unit_id = ? AND user_id = ?",
      [link["family_unit_id"] as String, viewer])
    if isCounted, !isMember {
      try db.execute(
        sql: """
          UPDATE highlight_shares SET open_count = open_count + 1, first_opened_at = coalesce(first_opened_at, ?)
          WHERE id = ?
          """, arguments: [time, id])
    }
    return try content(of: id, db)
  }

  private static func content(of link: String, _ db: Database) throws -> OpenedLink {
    // The server itself can see every highlight; what is hidden from clients stays hidden.
    let isHidden = ClosedVideoRules.isHidden("h", "NULL")
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT s.id AS share_id, h.id AS highlight_id, h.caption, h.duration,
          CASE WHEN NOT (\(isHidden)) THEN h.mux_playback_id END AS mux_playback_id,
          CASE WHEN NOT (\(isHidden)) THEN h.video_urls END AS video_urls,
          CASE WHEN NOT (\(isHidden)) THEN h.thumbnail_url END AS thumbnail_url,
          p.display_name, p.team_name, h.created_at, s.expires_at
        FROM highlight_shares AS s JOIN highlights AS h ON h.id = s.highlight_id
          JOIN profiles AS p ON p.id = h.author_id
        WHERE s.id = ?
        """, arguments: [link])
    guard let row else { throw PostgRESTFailure(.notFound, "PT404", "the link does not exist") }
    let clips = try PlayableClip.fetch(of: [row["highlight_id"]], for: .service, db)
    return OpenedLink(
      shareID: row["share_id"], highlightID: row["highlight_id"], caption: row["caption"], duration: row["duration"],
      muxPlaybackID: row["mux_playback_id"], videoURLs: (row["video_urls"] as String?).flatMap(NewRow.texts(in:)),
      thumbnailURL: row["thumbnail_url"],
      clips: clips.isEmpty
        ? nil : clips.map { Clip(part: $0.part, isSigned: $0.isSigned, playbackID: $0.playbackID) },
      displayName: row["display_name"], teamName: row["team_name"], createdAt: row["created_at"],
      expiresAt: row["expires_at"])
  }
}
#endif
