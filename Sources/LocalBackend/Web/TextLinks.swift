import ClipModel
import Foundation

/// Splits captions and comments at their tags and mentions, which become links.
enum TextLinks {
  /// Returns the template values of the text's pieces.
  /// - Parameter people: the usernames in lowercase that the database found in the text. Other names after an @ are
  ///   ordinary text.
  static func pieces(of text: String, mentioning people: Set<String>) -> [[String: Any]] {
    let tags = text.matches(of: CaptionTags.pattern).map { ($0.range, PageText.path(ofTag: String($0.output.1))) }
    let mentions = people.isEmpty ? [] : MentionedNames.matches(in: text)
    let names = mentions.filter { people.contains($0.name) }
      .map { ($0.range, "/u/\(LocalPath.percentEncoded($0.name))") }
    var pieces: [[String: Any]] = []
    var position = text.startIndex
    for (range, path) in (tags + names).sorted(by: { $0.0.lowerBound < $1.0.lowerBound })
    where range.lowerBound >= position {
      pieces.append(["text": String(text[position..<range.lowerBound])])
      pieces.append(["text": String(text[range]), "link": path])
      position = range.upperBound
    }
    return pieces + [["text": String(text[position...])]]
  }
}
