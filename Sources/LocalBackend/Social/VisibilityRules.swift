/// The conditions that the social tables share. They are the policies of
/// `supabase/migrations/*_row_level_security.sql`.
extension RowRules {
  // MARK: Profiles

  /// Returns a condition that is true if the caller can see a profile. Followers-only profiles are visible, so that
  /// users can request to follow them. Private profiles are not. A block hides both profiles from each other, and a
  /// pending deletion hides a profile from all other users.
  /// - Parameter profile: an SQL expression for the profile's ID.
  static func canSeeProfile(_ profile: String, _ viewer: String) -> String {
    """
    (\(profile) = \(viewer) OR (
      EXISTS (SELECT 1 FROM profiles AS sp WHERE sp.id = \(profile) AND sp.privacy_level <> 'private')
      AND NOT EXISTS (SELECT 1 FROM account_deletions AS sd WHERE sd.user_id = \(profile))
      AND (\(viewer) IS NULL OR NOT EXISTS (
        SELECT 1 FROM user_blocks AS sb
        WHERE sb.blocker_id = \(viewer) AND sb.blocked_id = \(profile)
          OR sb.blocker_id = \(profile) AND sb.blocked_id = \(viewer)))))
    """
  }

  /// The condition that a profile is visible and has a specific privacy level.
  static func hasPrivacyLevel(_ level: String, _ column: String) -> Condition {
    { row, viewer in
      """
      \(canSeeProfile("\(row).\(column)", viewer)) AND EXISTS (
        SELECT 1 FROM profiles AS lp WHERE lp.id = \(row).\(column) AND lp.privacy_level = '\(level)')
      """
    }
  }

  // MARK: Highlights, comments and polls

  /// The condition that a highlight is visible. Of the privacy levels of the highlight and its author, the stricter one
  /// applies.
  static let canSeeHighlight: Condition = { row, viewer in
    let author = "\(row).author_id"
    return """
      (\(author) = \(viewer) OR (
        \(row).is_ready
        AND \(row).privacy_level <> 'private'
        AND \(canSeeProfile(author, viewer))
        AND (
          \(row).privacy_level = 'public' AND EXISTS (
            SELECT 1 FROM profiles AS hp WHERE hp.id = \(author) AND hp.privacy_level = 'public')
          OR EXISTS (
            SELECT 1 FROM follows AS hf WHERE hf.follower_id = \(viewer) AND hf.following_id = \(author)))))
      """
  }

  /// The condition that the row's highlight is visible. Each nesting level has a different alias, so that inner aliases
  /// don't shadow outer ones.
  /// - Parameter condition: an additional condition for the highlight `h`, in which `VIEWER` stands for the caller.
  static func belongsToVisibleHighlight(_ condition: String = "1") -> Condition {
    { row, viewer in
      """
      EXISTS (SELECT 1 FROM highlights AS h WHERE h.id = \(row).highlight_id AND (\(condition
        .replacing("VIEWER", with: viewer))) AND \(canSeeHighlight("h", viewer)))
      """
    }
  }

  static let belongsToVisibleComment: Condition = { row, viewer in
    """
    EXISTS (SELECT 1 FROM comments AS c WHERE c.id = \(row).comment_id AND (\(canSeeComment("c", viewer))))
    """
  }

  static let canSeeComment: Condition = { row, viewer in
    """
    \(row).author_id = \(viewer) OR
    \(canSeeProfile("\(row).author_id", viewer)) AND \(belongsToVisibleHighlight()(row, viewer))
    """
  }

  static let belongsToVisiblePoll: Condition = { row, viewer in
    "EXISTS (SELECT 1 FROM polls AS q WHERE q.id = \(row).poll_id AND \(belongsToVisibleHighlight()("q", viewer)))"
  }

  static let belongsToOwnPoll: Condition = { row, viewer in
    """
    EXISTS (SELECT 1 FROM polls AS q JOIN highlights AS qh ON qh.id = q.highlight_id
      WHERE q.id = \(row).poll_id AND qh.author_id = \(viewer))
    """
  }

  /// Returns a condition that is true if the caller has muted a person.
  static func isMuted(_ person: String, _ viewer: String) -> String {
    "EXISTS (SELECT 1 FROM user_mutes AS m WHERE m.muter_id = \(viewer) AND m.muted_id = \(person))"
  }
}
