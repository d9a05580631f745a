import GRDB

extension RowStore.Restriction {
  /// Selects what people like who liked the same highlights as an account, together with Discover.
  /// - Parameter likedBefore: the time of the first page, in the format of `timestampText`. Later likes change neither the
  ///   people who agree nor what is left out, but scores can change.
  static func forYou(_ user: String, limit: Int, offset: Int, likedBefore: String?) -> Self {
    let viewer = Caller.user(user).sql
    // All times are before the year 10000.
    let end = (likedBefore ?? "9999-12-31T24").databaseValue
    var restriction = findableHighlights(for: .user(user)) { statement, alias in
      [
        "\(alias).author_id <> \(viewer)",
        """
        NOT EXISTS (
          SELECT 1 FROM likes AS ml
          WHERE ml.user_id = \(viewer) AND ml.highlight_id = \(alias).id AND ml.created_at < \(statement.bind(end)))
        """,
      ]
    }
    restriction.ranking = { statement in ForYouRanking.ranking(for: viewer, likedBefore: statement.bind(end)) }
    restriction.selectBest(limit: limit, offset: offset)
    return restriction
  }
}

private enum ForYouRanking {
  /// All steps are limited as in PostgreSQL, so a page needs the same time for an account with many likes. Likes that the
  /// viewer can't see don't count, because an account that agrees with only one person would see what this person likes.
  /// - Parameter end: the SQL expression of the time before which likes count.
  static func ranking(for viewer: String, likedBefore end: String) -> String {
    """
    WITH mine AS (
      SELECT l.highlight_id FROM (
        SELECT highlight_id FROM likes WHERE user_id = \(viewer) AND created_at < \(end)
        ORDER BY created_at DESC LIMIT 20) AS l
      JOIN highlights AS h ON h.id = l.highlight_id AND NOT h.hide_likes
    ), alike AS (
      SELECT most.user_id, most.number FROM (
        SELECT l.user_id, count(*) AS number FROM mine CROSS JOIN likes AS l ON l.rowid IN (
          SELECT r.rowid FROM likes AS r WHERE r.highlight_id = mine.highlight_id AND r.created_at < \(end)
          ORDER BY r.created_at DESC LIMIT 20)
        WHERE l.user_id <> \(viewer) GROUP BY l.user_id ORDER BY number DESC, l.user_id LIMIT 40) AS most
      WHERE \(RowRules.canSeeProfile("most.user_id", viewer))
    ), liked AS (
      SELECT l.highlight_id, alike.number AS weight FROM alike CROSS JOIN likes AS l ON l.rowid IN (
        SELECT r.rowid FROM likes AS r WHERE r.user_id = alike.user_id AND r.created_at < \(end)
        ORDER BY r.created_at DESC LIMIT 15)
      JOIN highlights AS h ON h.id = l.highlight_id AND NOT h.hide_likes
      UNION ALL
      SELECT highlight_id, 0 FROM (
        SELECT highlight_id FROM highlight_scores
        WHERE score > \(HighlightScores.score(ofTime: HighlightScores.oldest))
        ORDER BY score DESC, highlight_id LIMIT 200)
    )
    SELECT s.highlight_id AS id, s.score + 2 * natural_logarithm(1 + sum(liked.weight)) AS rank
    FROM liked JOIN highlight_scores AS s ON s.highlight_id = liked.highlight_id
    WHERE s.score IS NOT NULL GROUP BY s.highlight_id
    """
  }
}
