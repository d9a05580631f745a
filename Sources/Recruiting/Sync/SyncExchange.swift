public import Foundation

/// A request to a platform's API, relative to its base URL. The program that sends it adds the token.
public struct SyncRequest: Equatable, Sendable {
  public let path: String
  public let query: [String: String]
}

/// An answer of a platform's API.
public struct SyncResponse: Sendable {
  public let status: Int
  /// With lowercase names.
  public let headers: [String: String]
  public let body: Data

  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
    self.body = body
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}

/// Why a handle could not be read. The stored text of a handle's last error.
public enum SyncProblem: String, Error, Sendable, CaseIterable {
  /// The platform has no such account, or suspended it.
  case unknownAccount = "unknown-account"
  /// Only followers can read the posts.
  case protectedAccount = "protected-account"
  /// Instagram answers only for professional accounts.
  case notReadable = "not-readable"
  case rateLimited = "rate-limited"
  /// The token is invalid, or has no access.
  case unauthorized
  /// No answer, or an error of the server.
  case unavailable
  /// An answer that is not as documented.
  case invalidResponse = "invalid-response"

  /// Whether no other handle can be read either.
  var endsSync: Bool { self == .rateLimited || self == .unauthorized }
}

/// What a sync read of one handle.
public struct HandleResult: Equatable, Sendable {
  public let handle: SocialHandle
  /// The platform's ID of the account.
  public internal(set) var externalId: String?
  /// Where the next sync continues. After a problem it is the earlier value, so that no post is lost.
  public internal(set) var sinceId: String?
  public internal(set) var posts: [SyncedPost] = []
  public internal(set) var problem: SyncProblem?
}

/// A post as a platform returned it.
public struct SyncedPost: Equatable, Sendable {
  public let address: PostAddress
  public let content: String
  public let date: Date
  public let author: SocialHandle
  public let authorName: String
  /// As the platform reports it, if it does.
  public let language: String?
}

/// A post as `ingest_posts` reads it: classified.
public struct IngestRow: Equatable, Sendable, Encodable {
  public let platform: SocialPlatform
  public let postUrl: String
  public let postContent: String
  public let postDate: String
  public let authorHandle: String
  public let authorName: String
  public let isRecruitingRelated: Bool
  public let sentiment: PostSentiment?

  private enum CodingKeys: String, CodingKey {
    case platform
    case postUrl = "post_url"
    case postContent = "post_content"
    case postDate = "post_date"
    case authorHandle = "author_handle"
    case authorName = "author_name"
    case isRecruitingRelated = "is_recruiting_related"
    case sentiment
  }

  public init(_ post: SyncedPost) {
    platform = post.address.platform
    postUrl = post.address.text
    postContent = post.content
    postDate = RecruitingDate.format(post.date)
    authorHandle = post.author.name
    authorName = post.authorName
    isRecruitingRelated = RecruitingClassifier.standard.isRecruitingRelated(post.content)
    sentiment = SentimentAnalysis.sentiment(of: post.content, language: post.language)
  }

  public init(_ post: ImportedPost) {
    platform = post.address.platform
    postUrl = post.address.text
    postContent = post.content
    postDate = RecruitingDate.format(post.date)
    authorHandle = post.author.name
    authorName = post.authorName
    isRecruitingRelated = post.isRecruitingRelated
    sentiment = post.sentiment
  }
}
