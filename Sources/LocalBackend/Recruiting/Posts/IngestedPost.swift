#if Recruiting
import ClipModel
import Recruiting

/// A post of a request to `ingest_posts`, checked.
struct IngestedPost: Sendable {
  var address: PostAddress
  var content: String
  /// In the format of `timestampText`.
  var date: String
  var author: SocialHandle
  var authorName: String
  var isRecruitingRelated: Bool
  var sentiment: PostSentiment?

  /// Why a post can't be stored: the name of the wrong member, or `not an object`.
  struct Problem: Error {
    var field: String
  }

  init(_ post: JSONValue) throws(Problem) {
    guard post.members != nil else { throw Problem(field: "not an object") }
    guard let platform = Self.text(post, "platform").flatMap(SocialPlatform.init) else {
      throw Problem(field: "platform")
    }
    guard let url = Self.text(post, "post_url"), let address = try? PostAddress(url, on: platform) else {
      throw Problem(field: "post_url")
    }
    guard let content = post["post_content"]?.string, content.unicodeScalars.count <= PostTables.contentLimit else {
      throw Problem(field: "post_content")
    }
    guard let date = post["post_date"]?.string.flatMap(Self.time) else { throw Problem(field: "post_date") }
    guard let handle = Self.text(post, "author_handle"), let author = try? SocialHandle(handle, on: platform) else {
      throw Problem(field: "author_handle")
    }
    let name = Self.text(post, "author_name") ?? ""
    guard name.unicodeScalars.count <= PostTables.nameLimit else { throw Problem(field: "author_name") }
    isRecruitingRelated = try Self.flag(post["is_recruiting_related"])
    sentiment = try Self.sentiment(Self.text(post, "sentiment"))
    self.address = address
    self.content = content
    self.date = date
    self.author = author
    authorName = name.isEmpty ? author.name : name
  }

  /// A text, or another value as text, as PostgreSQL's `->>` returns it. `nil` for null.
  private static func text(_ post: JSONValue, _ key: String) -> String? {
    guard let value = post[key] else { return nil }
    if case .null = value.kind { return nil }
    return value.plainText
  }

  /// Times need a time zone.
  private static func time(_ text: String) -> String? {
    guard text.wholeMatch(of: /\d{4}-\d\d-\d\dT.*(Z|[+\-]\d\d:?\d\d)/) != nil else { return nil }
    return TimestampText.normalized(text)
  }

  private static func flag(_ value: JSONValue?) throws(Problem) -> Bool {
    switch value?.kind {
    case nil: return false
    case .bool(let flag): return flag
    default: throw Problem(field: "is_recruiting_related")
    }
  }

  private static func sentiment(_ text: String?) throws(Problem) -> PostSentiment? {
    guard let text else { return nil }
    guard let sentiment = PostSentiment(rawValue: text) else { throw Problem(field: "sentiment") }
    return sentiment
  }
}
#endif
