import ClipModel
import Foundation
import Reports
import ShareEngine
import Social

/// Formats highlights, comments and people as text.
enum SocialText {
  static func line(_ item: FeedItem) -> StyledText {
    let likes = item.highlight.hideLikes ? nil : item.likesCount.withNoun("like")
    let details = [
      item.author.map { "@\($0.username)" }, LocalTime.format(item.highlight.createdAt), likes,
      item.commentsCount.withNoun("comment"), item.isLiked ? "liked" : nil,
      item.highlight.caption,
    ]
    return "\(id(item.id), .strong)  \(details.detailLine)"
  }

  static func details(_ item: FeedItem) -> [StyledText] {
    var facts: [(String, String?)] = [
      ("author", item.author.map { "\($0.displayName) (@\($0.username))".onOneLine }),
      ("tags", item.highlight.tags.isEmpty ? nil : item.highlight.tags.joined(separator: ", ").onOneLine),
      ("privacy", item.highlight.privacy.rawValue),
    ]
    if let poll = item.poll {
      facts.append(("poll", "\(poll.question) (\(poll.totalVotes.withNoun("vote")))".onOneLine))
      for option in poll.options { facts.append(("", "\(option.text): \(option.voteCount)".onOneLine)) }
    }
    return [line(item)] + facts.compactMap { label, value in value.map { .labeledLine(label, StyledText($0)) } }
  }

  static func line(_ comment: HighlightComment) -> StyledText {
    let reactions = comment.reactions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let details: [String?] = [
      comment.author.map { "@\($0.username)" }, LocalTime.format(comment.createdAt),
      comment.likesCount > 0 ? comment.likesCount.withNoun("like") : nil,
      reactions.isEmpty ? nil : reactions.joined(separator: " "),
      comment.text,
    ]
    return "\(id(comment.id), .strong)  \(details.detailLine)"
  }

  static func person(_ account: UUID, _ username: String?, _ displayName: String?) -> StyledText {
    "\(id(account), .strong)  \([username.map { "@\($0)" } ?? "(hidden)", displayName].detailLine)"
  }

  static func details(_ profile: Profile, _ relation: FollowState?) -> [StyledText] {
    let facts: [(String, String?)] = [
      ("username", "@\(profile.username)"), ("team", profile.teamName?.onOneLine), ("bio", profile.bio?.onOneLine),
      ("privacy", profile.privacy.rawValue), ("highlights", "\(profile.highlightsCount)"),
      ("followers", "\(profile.followersCount)"), ("following", "\(profile.followingCount)"),
      ("relation", relation.map(\.rawValue)),
    ]
    return [person(profile.id, profile.username, profile.displayName)]
      + facts.compactMap { label, value in value.map { .labeledLine(label, StyledText($0)) } }
  }

  static func details(_ poll: Poll) -> [StyledText] {
    let options = poll.options.enumerated().map { index, option -> StyledText in
      .labeledLine("\(index + 1)", StyledText("\(option.text)  \(option.voteCount.withNoun("vote"))".onOneLine))
    }
    return ["\(poll.question.onOneLine, .strong)  \(poll.totalVotes.withNoun("vote"))"] + options
  }

  static func line(_ document: LabelDocument) -> StyledText {
    let name = document.kind == "tag" ? "#\(document.label.name)" : document.label.name
    let people = document.label.uses == 1 ? "1 person" : "\(document.label.uses) people"
    return "\(name.onOneLine, .strong)  \(document.kind)  \(people)"
  }

  static func line(_ document: NotificationDocument) -> StyledText {
    let group = document.notification
    let more = group.actorCount - document.actors.count
    let names = document.actors.map { "@\($0)" } + (more > 0 && !document.actors.isEmpty ? ["\(more) more"] : [])
    let decision = group.details.map { "\($0.action): \($0.reason)" }
    let details: [String?] = [
      names.isEmpty ? nil : names.joined(separator: ", "), LocalTime.format(group.newest),
      group.isRead ? nil : "unread", group.highlightID.map(id), decision,
    ]
    return "\(group.kind.replacing("_", with: " "), .strong)  \(details.detailLine)"
  }

  static func line(_ item: ModerationItem) -> StyledText {
    let details: [String?] = [
      item.kind == .profile ? "person" : item.kind.rawValue, "@\(item.ownerName)", LocalTime.format(item.oldest),
      item.reportCount > 0 ? "\(item.reportCount.withNoun("report")) (\(item.reasons.joined(separator: ", ")))" : nil,
      item.flagCount > 0 ? item.flagCount.withNoun("rate flag") : nil, item.offenseCount.withNoun("earlier offense"),
      item.content ?? "(deleted)",
    ]
    return "\(id(item.targetID), .strong)  \(details.detailLine)"
  }

  static func details(_ playback: HighlightPlayback) -> [StyledText] {
    playback.clips.flatMap { clip -> [StyledText] in
      [.labeledLine("video", StyledText(clip.video)), .labeledLine("thumbnail", StyledText(clip.thumbnail))]
    }
  }

  static func line(_ row: HighlightAnalytics) -> StyledText {
    let details: [String?] = [
      row.views.withNoun("view"), row.completionRate.map { "\(Int(($0 * 100).rounded())) % watched to the end" },
      "\(decimal(row.watchedSeconds)) s watched", row.likesCount.withNoun("like"),
      row.commentsCount.withNoun("comment"),
      row.caption,
    ]
    return "\(id(row.highlightID), .strong)  \(details.detailLine)"
  }

  static func details(_ settings: AccountSettings) -> [StyledText] {
    [
      .labeledLine("downloads", StyledText(settings.allowsDownloads ? "on" : "off")),
      .labeledLine("privacy", StyledText(settings.sharePrivacy.rawValue)),
      .labeledLine("push", StyledText(settings.isPushEnabled ? "on" : "off")),
    ]
  }

  /// The sentence about an action that was performed or waits.
  static func outcome(_ document: ActionDocument) -> String {
    let id = id(document.id)
    if document.status == "queued" {
      return "Waiting: \(document.action.rawValue.replacing("-", with: " ")) \(id)."
    }
    return switch document.action {
    case .like: "Liked \(id)."
    case .unlike: "Removed the like of \(id)."
    case .comment: "Added comment \(id)."
    case .deleteComment: "Deleted comment \(id)."
    case .likeComment: "Liked comment \(id)."
    case .unlikeComment: "Removed the like of comment \(id)."
    case .follow: document.relation == .requested ? "Asked to follow \(id)." : "Followed \(id)."
    case .unfollow: "Unfollowed \(id)."
    case .accept: "Accepted the request of \(id)."
    case .refuse: "Refused the request of \(id)."
    case .removeFollower: "\(id) doesn't follow you anymore."
    case .block: "Blocked \(id)."
    case .unblock: "Unblocked \(id)."
    case .mute: "Muted \(id)."
    case .unmute: "Unmuted \(id)."
    case .react: "Reacted to comment \(id)."
    case .removeReaction: "Removed the reaction to comment \(id)."
    case .withdrawReport: "Withdrew report \(id)."
    case .readNotifications: "All notifications are marked as read."
    }
  }

  static func queue(_ result: OfflineQueue.SendResult, waitingCount: Int) -> StyledText {
    let refused = result.refusedCount > 0 ? ", \(result.refusedCount) refused" : ""
    let waiting = waitingCount > 0 ? ", \(waitingCount) waiting" : ""
    return "sent \(result.sentCount.withNoun("action"))\(refused)\(waiting)\n"
  }

  private static func id(_ id: UUID) -> String { id.uuidString.lowercased() }
}

extension OutputOptions {
  /// Prints a list of people.
  func writeProfiles(_ profiles: [Profile], none remark: String? = nil) {
    writeList(profiles, none: remark) {
      (ProfileDocument(profile: $0), SocialText.person($0.id, $0.username, $0.displayName))
    }
  }

  /// Prints people with their relation, such as `blocked`. Names that the account can't see are left out.
  func writeHiddenPeople(_ people: [(relation: String, person: HiddenPerson)], none remark: String) {
    writeList(people, none: remark) { relation, person in
      (
        HiddenPersonDocument(relation: relation, person: person),
        SocialText.person(person.id, person.username, person.displayName) + "  \(relation)"
      )
    }
  }

  /// Prints what happened to an action.
  func writeOutcome(_ outcome: SocialSession.ActionOutcome, _ document: ActionDocument) {
    var document = document
    if case .queued(let reason) = outcome {
      document.status = "queued"
      writeNote("\(reason); the action waits until \"bsc resume\" sends it")
    }
    write(document, text: StyledText("\(SocialText.outcome(document))\n"))
  }
}
