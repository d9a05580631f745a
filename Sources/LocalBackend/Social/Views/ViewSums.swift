import Foundation
import GRDB

/// Adds new views to the sums per day, and to the scores of Discover.
enum ViewSums {
  /// Adds up the views that aren't counted yet, and the further seconds of those that are, and deletes old events. Call it
  /// in a transaction.
  /// - Returns: the number of events.
  static func aggregate(in db: Database, limit: Int = 20_000, now: Date) throws -> Int {
    try db.execute(
      sql: """
        CREATE TEMPORARY TABLE new_views AS
        SELECT e.rowid AS event, e.highlight_id, substr(e.hour, 1, 10) AS day, NOT e.is_view_counted AS is_view,
          e.completed AND NOT e.is_completion_counted AS is_completion, e.watched - e.counted_seconds AS watched
        FROM view_events AS e
        WHERE e.counted_seconds < e.watched OR e.completed AND NOT e.is_completion_counted
        ORDER BY e.highlight_id LIMIT ?
        """, arguments: [limit])
    try db.execute(
      sql: """
        UPDATE view_events
        SET is_view_counted = TRUE, is_completion_counted = completed, counted_seconds = watched
        WHERE rowid IN (SELECT event FROM new_views);
        DELETE FROM new_views WHERE highlight_id NOT IN (SELECT id FROM highlights);
        INSERT INTO highlight_stats (highlight_id, day, views, completions, watched_seconds)
        SELECT highlight_id, day, sum(is_view), sum(is_completion), sum(watched) FROM new_views
        WHERE TRUE GROUP BY highlight_id, day
        ON CONFLICT (highlight_id, day) DO UPDATE SET
          views = views + excluded.views, completions = completions + excluded.completions,
          watched_seconds = watched_seconds + excluded.watched_seconds;
        UPDATE highlight_scores SET
          views = highlight_scores.views + n.views, completions = highlight_scores.completions + n.completions
        FROM (
          SELECT highlight_id, sum(is_view) AS views, sum(is_completion) AS completions FROM new_views GROUP BY 1) AS n
        WHERE n.highlight_id = highlight_scores.highlight_id;
        UPDATE highlight_scores SET score = \(HighlightScores.score(
          of: "h", views: "highlight_scores.views", completions: "highlight_scores.completions"))
        FROM highlights AS h
        WHERE h.id = highlight_scores.highlight_id AND highlight_scores.score IS NOT NULL
          AND h.id IN (SELECT highlight_id FROM new_views);
        """)
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM new_views")
    try db.execute(sql: "DROP TABLE new_views")
    try db.execute(
      sql: "DELETE FROM view_events WHERE hour < ?", arguments: [timestampText(now.addingTimeInterval(-2 * 86_400))])
    try db.execute(
      sql: "DELETE FROM view_salts WHERE day < ?",
      arguments: [String(timestampText(now.addingTimeInterval(-86_400)).prefix(10))])
    return count ?? 0
  }
}
