import ClipModel
import Social

/// Splits captions and comments at their tags and mentions, which become links. Web addresses remain text, because anyone
/// can write them where young people read.
enum TextLinks {
  /// Returns the template values of the text's pieces.
  /// - Parameter people: the usernames in lowercase that the database found in the text. Other names after an @ are
  ///   ordinary text.
  static func pieces(of text: String, mentioning people: Set<String>) -> [[String: Any]] {
    TextParser.parts(of: text).map { part in
      switch part {
      case .tag(let text, let tag): ["text": text, "link": PageText.path(ofTag: tag)]
      case .mention(let text, let name) where people.contains(name):
        ["text": text, "link": "/u/\(LocalPath.percentEncoded(name))"]
      case .plain, .mention, .link: ["text": part.text]
      }
    }
  }
}
