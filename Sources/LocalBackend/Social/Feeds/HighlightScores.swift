import Foundation
import GRDB

/// The scores of highlights, by which Discover sorts.
///
/// A score is the logarithm of what people did with a highlight, plus the time of posting in units of 12 hours. This
/// order doesn't change as time passes, so only events change a score. Highlights that aren't public or not ready, and
/// those of protected accounts, have no score.
enum HighlightScores {
  static let naturalLogarithm = DatabaseFunction("natural_logarithm", argumentCount: 1, pure: true) { values in
    guard let number = Double.fromDatabaseValue(values[0]) else { return nil }
    return log(number)
  }

  static func createTable(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE highlight_scores (
          highlight_id TEXT PRIMARY KEY NOT NULL REFERENCES highlights (id) ON DELETE CASCADE, score DOUBLE,
          views INTEGER NOT NULL DEFAULT 0 CHECK (views >= 0),
          completions INTEGER NOT NULL DEFAULT 0 CHECK (completions >= 0));
        CREATE INDEX highlight_scores_best ON highlight_scores (score DESC, highlight_id) WHERE score IS NOT NULL;
        CREATE INDEX likes_recent ON likes (user_id, created_at DESC);
        CREATE INDEX profiles_team ON profiles (team_name);
        INSERT INTO highlight_scores (highlight_id, score) SELECT h.id, \(score(of: "h", views: "0", completions: "0"))
        FROM highlights AS h;
        CREATE TRIGGER highlights_score_new AFTER INSERT ON highlights
        BEGIN
          INSERT INTO highlight_scores (highlight_id, score)
          VALUES (NEW.id, \(score(of: "NEW", views: "0", completions: "0")));
        END;
        CREATE TRIGGER highlights_score_changed
        AFTER UPDATE OF likes_count, comments_count, privacy_level, is_ready, created_at ON highlights
        BEGIN
          UPDATE highlight_scores SET score = \(score(of: "NEW", views: "views", completions: "completions"))
          WHERE highlight_id = NEW.id;
        END;
        """)
  }

  /// Returns the SQL expression of a highlight's score. Views count less than likes, because they cost nothing.
  static func score(of highlight: String, views: String, completions: String) -> String {
    """
    CASE WHEN \(highlight).privacy_level = 'public' AND \(highlight).is_ready
      AND NOT \(RowRules.isProtected("\(highlight).author_id"))
    THEN round(natural_logarithm(1 + \(highlight).likes_count + 2 * \(highlight).comments_count
      + \(views) / 20.0 + \(completions) / 10.0), 1) + \(score(ofTime: "\(highlight).created_at")) END
    """
  }

  /// Returns the SQL expression of the lowest score of a highlight of this time, which is that of one without likes.
  static func score(ofTime time: String) -> String { "(julianday(\(time)) - 2440587.5) * 2" }

  /// The earliest time of posting in Discover, as an SQL expression.
  static let oldest = "strftime('%Y-%m-%dT%H:%M:%f000+00:00', server_time(), '-30 days')"
}
