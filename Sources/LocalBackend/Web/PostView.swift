import ClipModel
import Foundation

/// Provides a highlight's values for the template `post`. Templates look up missing values in the enclosing page, so
/// pages must not use the names of these values.
extension SharedPost {
  /// Returns the template values.
  /// - Parameter caller: the visitor. Authors see the number of likes even if it is hidden from others.
  func templateValues(for caller: Caller) -> [String: Any] {
    let addresses = [muxPlaybackID ?? ""] + (videoUrls ?? []).dropFirst()
    let videos = addresses.indices.map { video(addresses[$0], $0, of: addresses.count) }
    let caption = caption ?? ""
    let captionTags = Set(CaptionTags.extractHashtags(in: caption))
    let otherTags = tags.filter { !captionTags.contains($0.lowercased()) }
    let seconds = duration.map { max(1, Int($0.rounded())) }
    let durationLabel = seconds.map { "\($0) seconds" } ?? ""
    let isAuthor = caller.userID == authorID
    let showsLikes = !hideLikes || isAuthor
    // `PlaybackAccess` has the same rule.
    let downloads = allowDownloads || isAuthor ? videos.filter { $0["source"] != nil } : []
    let tileLabel = [caption.isEmpty ? "Highlight" : caption, durationLabel].filter { !$0.isEmpty }
      .joined(separator: ", ")
    let values: [String: Any?] = [
      "id": id, "author": author?.values, "videos": videos, "videoCount": videos.count, "isSeries": videos.count > 1,
      "backdrop": videos[0]["poster"], "pieces": TextLinks.pieces(of: caption, mentioning: mentioned),
      "hasCaption": !caption.isEmpty,
      "tags": otherTags.map { ["path": PageText.path(ofTag: $0), "word": $0] }, "hasTags": !otherTags.isEmpty,
      "duration": seconds.map { "\($0 / 60):" + String($0 % 60 + 100).dropFirst() }, "durationLabel": durationLabel,
      "created": PageText.formatTime(createdAt), "createdISO": createdAt,
      "privacyBadge": privacyLevel == "public" ? nil : privacyLevel.replacing("_", with: " "),
      "isLiked": isLikedByMe, "likesShown": showsLikes ? "\(likesCount)" : "",
      "likeLabel": showsLikes ? "Like, \(PageText.countText(likesCount, "like"))" : "Like",
      "commentsShown": "\(commentsCount)", "commentsLabel": "Comments, \(commentsCount)",
      "mayReport": caller.userID != nil && caller.userID != authorID,
      "downloads": downloads,
      "tilePath": "/h/\(id)", "tileLabel": tileLabel + (videos.count > 1 ? ", \(videos.count) clips" : ""),
    ]
    return values.compactMapValues(\.self)
  }

  /// Returns the template values of a clip.
  /// - Parameter address: a playback ID, a stream URL on this server, or a URL on a different server.
  private func video(_ address: String, _ index: Int, of count: Int) -> [String: Any] {
    var values: [String: Any] = [
      "anchor": "c-\(id)-\(index + 1)", "label": count > 1 ? "Clip \(index + 1) of \(count)" : "Clip",
    ]
    if let match = address.wholeMatch(of: /(?:\/stream\/)?([A-Za-z0-9_\-]+)(?:\.m3u8)?/) {
      values["source"] = "/stream/\(match.output.1).mp4"
      // Pages load nothing from other servers.
      let thumbnail = index == 0 ? thumbnailUrl : nil
      let isLocal = thumbnail?.wholeMatch(of: /\/image\/[A-Za-z0-9_\-]+\/thumbnail\.jpg(\?time=[0-9.]+)?/) != nil
      values["poster"] = isLocal ? thumbnail : "/image/\(match.output.1)/thumbnail.jpg?time=2"
    } else if let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil {
      values["elsewhere"] = url.absoluteString
    } else {
      values["isUnknown"] = true
    }
    return values
  }
}

extension SharedPoll {
  /// Returns the values of a poll for the template `post`.
  /// - Parameter own: the ID of the option for which the visitor has voted.
  func templateValues(own: String?) -> [String: Any] {
    let most = max(totalVotes, 1)
    let answers = options.map { option -> [String: Any] in
      [
        "option": option.id, "answer": option.text, "isOwnVote": option.id == own, "votes": option.voteCount,
        "votesShown":
          "\(PageText.countText(option.voteCount, "vote")), \((option.voteCount * 100 + most / 2) / most) %",
      ]
    }
    return [
      "question": question, "answers": answers, "mostVotes": most,
      "allVotes": PageText.countText(totalVotes, "vote"),
    ]
  }
}

extension SharedComment {
  /// Returns the values for the template `comments`.
  /// - Parameter own: the visitor's own reactions to the comment.
  func templateValues(for caller: Caller, own: Set<String>) -> [String: Any] {
    let people = Set((mentions ?? []).compactMap { $0.profile?.username.lowercased() })
    let values: [String: Any?] = [
      // Without a value, the template would use the author of the highlight.
      "comment": id, "author": author?.values ?? false, "pieces": TextLinks.pieces(of: text, mentioning: people),
      "reactions": reactionValues(own: own), "hasReactions": !reactions.isEmpty,
      "created": PageText.formatTime(createdAt),
      "isCommentLiked": isLikedByMe, "hasCommentLikes": likesCount > 0,
      "commentLikes": likesCount > 0 ? "\(likesCount)" : "", "commentLikeCount": PageText.countText(likesCount, "like"),
      "commentLikeLabel": likesCount > 0 ? "Like, \(PageText.countText(likesCount, "like"))" : "Like",
      "createdISO": createdAt, "isMine": caller.userID == authorID,
      "mayReportComment": caller.userID != nil && caller.userID != authorID,
    ]
    return values.compactMapValues(\.self)
  }

  private func reactionValues(own: Set<String>) -> [[String: Any]] {
    CommentReactions.emoji.enumerated().map { index, emoji in
      let count = reactions[emoji] ?? 0
      let name = Self.reactionNames[index]
      return [
        "emoji": emoji, "number": index, "count": "\(count)", "isUsed": count > 0, "isOwn": own.contains(emoji),
        "reactionLabel": count > 0 ? "\(name), \(count)" : name,
      ]
    }
  }

  /// The names of `CommentReactions.emoji` for screen readers.
  private static let reactionNames = ["Heart", "Fire", "Applause", "Laughing", "Surprised", "Strong", "Volleyball"]
}

/// Formats text and paths for pages.
enum PageText {
  /// Formats a count with its noun, as in `1 like` or `2 likes`.
  /// - Parameter plural: the noun's plural, if it doesn't end in `s`.
  static func countText(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? "\(noun)s")"
  }

  /// Formats a timestamp, as in `2026-11-22 19:03 UTC`.
  static func formatTime(_ timestamp: String) -> String { timestamp.prefix(16).replacing("T", with: " ") + " UTC" }

  /// Returns the noun for a type of content in reports and decisions.
  static func noun(ofContent type: String) -> String { type == "user_profile" ? "profile" : type }

  static func path(ofTag tag: String) -> String { "/tags/\(LocalPath.percentEncoded(tag.lowercased()))" }
}
