import ClipModel

/// The rules that a draft must satisfy before the server opens an upload for it. Clients check them too, but the server
/// can't rely on that.
enum DraftRules {
  /// The allowed duration of a rally, in seconds.
  static let duration = RallyLimits.seconds
  static let captionLimit = HighlightDraft.maximumCaptionLength
  /// The maximum number of hashtags. A caption can't contain more, because each takes at least three characters, as in
  /// `#a ` with a space.
  static let tagLimit = 734
  /// The allowed lifetime of an upload URL in seconds, as in Mux.
  static let lifetimeSeconds: ClosedRange<Int64> = 60...604_800
  static let defaultLifetimeSeconds: Int64 = 3600

  /// Returns all problems with a draft, one sentence per problem. The array is empty if the draft is valid.
  static func problems(of draft: HighlightDraft) -> [String] {
    var problems: [String] = []
    if !(1...HighlightDraft.maximumPartCount).contains(draft.partCount) {
      problems.append("part_count is \(draft.partCount); it must be 1 to \(HighlightDraft.maximumPartCount)")
    } else if !(0..<draft.partCount).contains(draft.part) {
      problems.append("part is \(draft.part); it must be less than part_count and not negative")
    }
    // These checks also reject NaN, because no range contains it. Differences between decimal times are inexact, so
    // they may be off by a microsecond, as in the table's check.
    if !(duration.lowerBound - 1e-6...duration.upperBound + 1e-6).contains(draft.duration) {
      problems.append("duration is \(draft.duration) s; a rally must last 3 to 60 s")
    }
    if let count = HighlightDraft.excessiveLength(ofCaption: draft.caption) {
      problems.append("caption has \(count) characters; the limit is \(captionLimit)")
    }
    if draft.tags.count > tagLimit { problems.append("tags has \(draft.tags.count) entries; the limit is \(tagLimit)") }
    if draft.tags.contains(where: { $0.isEmpty || $0.unicodeScalars.count > captionLimit }) {
      problems.append("tags has an entry that is empty or too long")
    }
    for (name, value) in [("confidence", draft.confidence), ("quality", draft.quality)] {
      if let value, !(-1e-9...1 + 1e-9).contains(value) { problems.append("\(name) is \(value); it must be 0 to 1") }
    }
    for (name, value) in [("detection_count", draft.detectionCount), ("local_rally_index", draft.localRallyIndex)] {
      guard let value else { continue }
      if value < 0 { problems.append("\(name) is negative") }
      if value > Int32.max { problems.append("\(name) is too large") }
    }
    return problems
  }
}
