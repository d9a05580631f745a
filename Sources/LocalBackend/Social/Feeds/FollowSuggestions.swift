extension RowStore.Restriction {
  /// Selects people whom an account may want to follow.
  static func followSuggestions(for user: String, limit: Int) -> Self {
    let viewer = Caller.user(user).sql
    return Self(
      ranking: { _ in FollowSuggestions.ranking(for: viewer) },
      conditions: { _, alias in
        [
          "\(alias).id <> \(viewer)",
          "NOT EXISTS (SELECT 1 FROM follows AS mf WHERE mf.follower_id = \(viewer) AND mf.following_id = \(alias).id)",
          """
          NOT EXISTS (
            SELECT 1 FROM follow_requests AS mr WHERE mr.requester_id = \(viewer) AND mr.target_id = \(alias).id)
          """, RowRules.canFind("\(alias).id", viewer), "NOT \(RowRules.isMuted("\(alias).id", viewer))",
        ]
      },
      order: { _, alias in "ORDER BY ranked.rank DESC, \(alias).followers_count DESC, ranked.id" }, limit: limit)
  }
}

private enum FollowSuggestions {
  /// Friends of friends have 3 points for each friend, people of the same team 5, and authors among the best of Discover
  /// 1 for each highlight with the same tags, so that others come last. All steps are limited as in PostgreSQL.
  static func ranking(for viewer: String) -> String {
    """
    WITH friends AS (
      SELECT f.following_id FROM (
        SELECT following_id FROM follows WHERE follower_id = \(viewer) ORDER BY created_at DESC LIMIT 50) AS f
      WHERE \(RowRules.canSeeProfile("f.following_id", viewer))
    ), my_tags AS (
      SELECT DISTINCT tag.value FROM (
        SELECT tags FROM highlights WHERE author_id = \(viewer) ORDER BY created_at DESC LIMIT 20) AS mine,
        json_each(mine.tags) AS tag LIMIT 100
    ), points AS (
      SELECT f.following_id AS id, 3 AS points FROM friends CROSS JOIN follows AS f ON f.rowid IN (
        SELECT r.rowid FROM follows AS r WHERE r.follower_id = friends.following_id LIMIT 50)
      UNION ALL
      SELECT id, 5 FROM (
        SELECT id FROM profiles WHERE team_name = (SELECT team_name FROM profiles WHERE id = \(viewer)) LIMIT 200)
      UNION ALL
      SELECT h.author_id, EXISTS (SELECT 1 FROM json_each(h.tags) AS tag WHERE tag.value IN (SELECT value FROM my_tags))
      FROM (SELECT highlight_id FROM highlight_scores WHERE score IS NOT NULL ORDER BY score DESC LIMIT 200) AS best
      JOIN highlights AS h ON h.id = best.highlight_id
    )
    SELECT id, sum(points) AS rank FROM points GROUP BY id ORDER BY rank DESC, id LIMIT 300
    """
  }
}
