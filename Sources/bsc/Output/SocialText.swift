import ClipModel
import Foundation
import Reports
import ShareEngine
import Social

/// Formats highlights, comments and people as text.
enum SocialText {
  static func line(_ item: FeedItem) -> StyledText {
    let likes = item.highlight.hideLikes ? nil : count(item.likesCount, "like")
    let details = [
      item.author.map { "@\($0.username)" }, LocalTime.format(item.highlight.createdAt), likes,
      count(item.commentsCount, "comment"), item.isLiked ? "liked" : nil,
      item.highlight.caption.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") },
    ]
    return "\(id(item.id), .strong)  \(join(details))"
  }

  static func details(_ item: FeedItem) -> [StyledText] {
    var facts: [(String, String?)] = [
      ("author", item.author.map { "\($0.displayName) (@\($0.username))".onOneLine }),
      ("tags", item.highlight.tags.isEmpty ? nil : item.highlight.tags.joined(separator: ", ").onOneLine),
      ("privacy", item.highlight.privacy.rawValue),
    ]
    if let poll = item.poll {
      facts.append(("poll", "\(poll.question) (\(count(poll.totalVotes, "vote")))".onOneLine))
      for option in poll.options { facts.append(("", "\(option.text): \(option.voteCount)".onOneLine)) }
    }
    return [line(item)] + facts.compactMap { label, value in value.map { .labeledLine(label, StyledText($0)) } }
  }

  static func line(_ comment: HighlightComment) -> StyledText {
    let reactions = comment.reactions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let details: [String?] = [
      comment.author.map { "@\($0.username)" }, LocalTime.format(comment.createdAt),
      comment.likesCount > 0 ? count(comment.likesCount, "like") : nil,
      reactions.isEmpty ? nil : reactions.joined(separator: " "),
      comment.text.split(whereSeparator: \.isNewline).joined(separator: " "),
    ]
    return "\(id(comment.id), .strong)  \(join(details))"
  }

  static func person(_ account: UUID, _ username: String?, _ displayName: String?) -> StyledText {
    "\(id(account), .strong)  \(join([username.map { "@\($0)" } ?? "(hidden)", displayName]))"
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
      .labeledLine("\(index + 1)", StyledText("\(option.text)  \(count(option.voteCount, "vote"))".onOneLine))
    }
    return ["\(poll.question.onOneLine, .strong)  \(count(poll.totalVotes, "vote"))"] + options
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
    return "\(group.kind.replacing("_", with: " "), .strong)  \(join(details))"
  }

  static func line(_ item: ModerationItem) -> StyledText {
    let details: [String?] = [
      item.kind == .profile ? "person" : item.kind.rawValue, "@\(item.ownerName)", LocalTime.format(item.oldest),
      item.reportCount > 0 ? "\(count(item.reportCount, "report")) (\(item.reasons.joined(separator: ", ")))" : nil,
      item.flagCount > 0 ? count(item.flagCount, "rate flag") : nil, count(item.offenseCount, "earlier offense"),
      item.content ?? "(deleted)",
    ]
    return "\(id(item.targetID), .strong)  \(join(details))"
  }

  static func line(_ row: HighlightAnalytics) -> StyledText {
    let details: [String?] = [
      count(row.views, "view"), row.completionRate.map { "\(Int(($0 * 100).rounded())) % watched to the end" },
      "\(decimal(row.watchedSeconds)) s watched", count(row.likesCount, "like"), count(row.commentsCount, "comment"),
      row.caption.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") },
    ]
    return "\(id(row.highlightID), .strong)  \(join(details))"
  }

  static func details(_ settings: AccountSettings) -> [StyledText] {
    [
      .labeledLine("downloads", StyledText(settings.allowsDownloads ? "on" : "off")),
      .labeledLine("privacy", StyledText(settings.sharePrivacy.rawValue)),
      .labeledLine("push", StyledText(settings.isPushEnabled ? "on" : "off")),
    ]
  }

  static func queue(_ result: OfflineQueue.SendResult, waitingCount: Int) -> StyledText {
    let refused = result.refusedCount > 0 ? ", \(result.refusedCount) refused" : ""
    let waiting = waitingCount > 0 ? ", \(waitingCount) waiting" : ""
    return "sent \(count(result.sentCount, "action"))\(refused)\(waiting)\n"
  }

  private static func id(_ id: UUID) -> String { id.uuidString.lowercased() }

  private static func join(_ details: [String?]) -> String {
    details.compactMap(\.self).joined(separator: "  ").onOneLine
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

/// Prints the results of `bsc social`.
enum SocialOutput {
  /// Reports an action of an earlier run that the backend refused.
  static func writeRefusal(_ action: QueuedAction, _ error: SocialError, asJSON: Bool) {
    ErrorOutput.write(error.explanation, asJSON: asJSON)
  }
}

extension OutputOptions {
  /// Prints an entry of a list: a line of JSON with `--json`, otherwise a line of text.
  func writeEntry(_ document: some Encodable, text: StyledText) {
    if json { Console.writeJSON(document) } else { Console.write(text + "\n") }
  }

  func writeProfile(_ profile: Profile) {
    writeEntry(
      ProfileDocument(profile: profile), text: SocialText.person(profile.id, profile.username, profile.displayName))
  }

  /// Prints what happened to an action.
  /// - Parameter kind: what the ID identifies, such as `highlight`.
  func writeOutcome(_ outcome: SocialSession.ActionOutcome, _ document: ActionDocument, _ kind: String) {
    var document = document
    if case .queued(let reason) = outcome {
      document.status = "queued"
      writeNote("\(reason); the action waits until \"bsc resume\" sends it")
    }
    let relation = document.relation.map { " (\($0.rawValue))" } ?? ""
    let name = document.action.replacing("-", with: " ")
    write(
      document,
      text: "\(name): \(kind) \(document.id.uuidString.lowercased()), \(document.status)\(relation)\n")
  }
}
