import Foundation

/// A reaction that a visitor sends with a form. The sign-in page keeps it for visitors without an account, and the server
/// performs it after the sign-in.
enum Reaction: Sendable, Equatable {
  case like(highlight: String, isOn: Bool)
  case comment(String, highlight: String)
  /// - Parameter name: the person's username or ID.
  case follow(name: String, isOn: Bool)

  /// The page that shows the reaction.
  var page: String {
    switch self {
    case .like(let highlight, _): "/h/\(highlight)"
    case .comment(_, let highlight): "/h/\(highlight)#comments"
    case .follow(let name, _): "/u/\(LocalPath.percentEncoded(name))"
    }
  }

  /// The text above the sign-in form.
  var prompt: String {
    switch self {
    case .like: "Sign in to like this highlight."
    case .comment: "Sign in to send your comment."
    case .follow: "Sign in to follow this person."
    }
  }

  /// The reaction in a sentence.
  var noun: String {
    switch self {
    case .like: "the like"
    case .comment: "the comment"
    case .follow: "the follow"
    }
  }

  /// The fields of the sign-in form.
  var fields: [(name: String, value: String)] {
    switch self {
    case .like(let highlight, _): [("then", "like"), ("target", highlight)]
    case .comment(let text, let highlight): [("then", "comment"), ("target", highlight), ("text", text)]
    case .follow(let name, _): [("then", "follow"), ("target", name)]
    }
  }

  /// Reads the text of a comment from a form, which has CRLF line breaks.
  static func commentText(in fields: [String: String]) -> String {
    (fields["text"] ?? "").replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Reads the fields of a sign-in form. Returns `nil` if they contain no reaction.
  init?(_ fields: [String: String]) {
    let target = fields["target"] ?? ""
    let highlight = UUID(uuidString: target)?.uuidString.lowercased()
    switch (fields["then"], highlight) {
    case ("like", let highlight?): self = .like(highlight: highlight, isOn: true)
    case ("comment", let highlight?): self = .comment(Self.commentText(in: fields), highlight: highlight)
    case ("follow", _): self = .follow(name: target, isOn: true)
    default: return nil
    }
  }
}
