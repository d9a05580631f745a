import Crypto
import DurableFiles
import Foundation
import GRDB

/// Records the playback of a highlight. Repeated playback within an hour counts once.
struct ViewRecorder: Sendable {
  let caller: Caller
  /// The address that distinguishes visitors without an account.
  let address: String
  let now: Date

  /// The maximum number of highlights that count per viewer and hour.
  static let hourlyLimit = 600

  /// Records a view. Ignores own highlights, invisible ones, and viewers that reached the limit. An error would only
  /// reveal that.
  /// - Parameter watched: the playback in seconds.
  func record(_ highlight: DatabaseValue, watched: Double?, in db: Database) throws {
    guard let watched, (1...36_000).contains(watched) else { return }
    let target = try Row.fetchOne(
      db,
      sql: """
        SELECT h.id, h.duration FROM highlights AS h
        WHERE h.id = ? AND h.author_id IS NOT \(caller.sql) AND \(RowRules.canSeeHighlight("h", caller.sql))
        """, arguments: [highlight])
    guard let target else { return }
    let duration: Double? = target["duration"]
    let viewer = try viewerKey(in: db)
    let recent = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM view_events WHERE viewer = ? AND hour > ?",
      arguments: [viewer, timestampText(now.addingTimeInterval(-3600))])
    guard recent ?? 0 < Self.hourlyLimit else { return }
    try db.execute(
      sql: """
        INSERT INTO view_events (highlight_id, viewer, hour, watched, completed) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (highlight_id, viewer, hour) DO UPDATE
        SET watched = max(watched, excluded.watched), completed = completed OR excluded.completed
        WHERE watched < excluded.watched
        """,
      arguments: [
        target["id"] as String, viewer, "\(timestampText(now).prefix(13)):00:00.000000+00:00",
        min(watched, duration ?? watched), duration.map { watched >= 0.9 * $0 } ?? false,
      ])
  }

  /// Returns the account ID, or a hash of the visitor's address that can't be reversed after the day's salt is deleted.
  private func viewerKey(in db: Database) throws -> String {
    if let user = caller.userID { return user }
    let day = String(timestampText(now).prefix(10))
    try db.execute(
      sql: "INSERT INTO view_salts VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [day, RandomText.identifier()])
    let salt = try String.fetchOne(db, sql: "SELECT salt FROM view_salts WHERE day = ?", arguments: [day]) ?? ""
    return FileDigest.hexadecimal(SHA256.hash(data: Array((salt + Self.network(of: address)).utf8)))
  }

  /// Returns the part of an address that belongs to one visitor: all of an IPv4 address, the first half of an IPv6
  /// address.
  static func network(of address: String) -> String {
    let digits = address.prefix { $0 != "%" }
    // With a dot, it is an IPv4 address in IPv6's notation (`::ffff:192.0.2.1`).
    guard digits.contains(":"), !digits.contains(".") else { return address }
    let halves = digits.components(separatedBy: "::")
    let groups = halves[0].split(separator: ":").map(String.init)
    let rest = halves.count > 1 ? halves[1].split(separator: ":").map(String.init) : []
    let missing = halves.count > 1 ? max(0, 8 - groups.count - rest.count) : 0
    let all = groups + Array(repeating: "0", count: missing) + rest
    return all.prefix(4).map { $0.drop { $0 == "0" } }.joined(separator: ":")
  }
}
