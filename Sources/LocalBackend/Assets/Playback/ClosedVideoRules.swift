/// The SQL conditions that decide whether a highlight's video is closed: it isn't public, and only callers who can see the
/// highlight may read it. See `supabase/migrations/*_signed_playback.sql`.
enum ClosedVideoRules {
  /// The condition that a highlight's video is closed. Of the privacy levels of the highlight and its author, the stricter
  /// one applies, and a pending deletion closes everything.
  static let isClosed: RowRules.Condition = { row, _ in
    """
    (\(row).privacy_level <> 'public'
      OR EXISTS (SELECT 1 FROM profiles AS cp WHERE cp.id = \(row).author_id AND cp.privacy_level <> 'public')
      OR EXISTS (SELECT 1 FROM account_deletions AS cd WHERE cd.user_id = \(row).author_id))
    """
  }

  /// The condition that clients don't read the addresses of a highlight's video, because they would need a token. Rows
  /// that an app inserted with other videos keep their addresses.
  static let isHidden: RowRules.Condition = { row, viewer in
    "\(row).mux_asset_id IS NOT NULL AND \(isClosed(row, viewer))"
  }

  /// The condition that a caller may read a highlight's video. A moderator also sees highlights with a pending report
  /// of another person.
  static let mayWatch: RowRules.Condition = { row, viewer in
    """
    (\(RowRules.canSeeHighlight(row, viewer))
      OR EXISTS (SELECT 1 FROM moderators AS wm WHERE wm.user_id = \(viewer)) AND EXISTS (
        SELECT 1 FROM content_reports AS wr
        WHERE wr.reported_type = 'highlight' AND wr.reported_id = \(row).id AND wr.status = 'pending'
          AND wr.reporter_id <> \(viewer)))
    """
  }
}
