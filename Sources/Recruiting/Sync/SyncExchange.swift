import ClipModel
public import Foundation

/// A request to a platform's API, relative to its base URL. The program that sends it adds the token.
public struct SyncRequest: Equatable, Sendable {
  /// Begins with a slash.
  public let path: String
  /// Names and values, not percent-encoded.
  public let query: [String: String]
}

/// A response of a platform's API.
public struct SyncResponse: Sendable {
  /// The HTTP status.
  public let status: Int
  /// With lowercase names.
  public let headers: [String: String]
  /// The content, JSON if the platform responded as documented.
  public let body: Data

  /// Creates a response. Names of headers can have any case.
  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
    self.body = body
  }

  /// The longest wait. A platform that asks for more is asked again after this time.
  private static let longestWait: TimeInterval = 24 * 3600

  /// The end of the wait that `Retry-After` requests in seconds: in the future, and within a day. `nil` if the header is
  /// missing or invalid.
  func retryTime(now: Date) -> Date? {
    guard let seconds = headers["retry-after"].flatMap(Double.init), seconds.isFinite else { return nil }
    return Self.boundedTime(now + seconds, now: now)
  }

  /// Moves a time into the next 24 hours, but at least a second after `now`.
  static func boundedTime(_ time: Date, now: Date) -> Date { min(max(time, now + 1), now + longestWait) }

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
  /// Instagram returns data only for professional accounts.
  case notReadable = "not-readable"
  /// The platform's limit is reached. `retryAt` contains the end.
  case rateLimited = "rate-limited"
  /// The token is invalid, or has no access.
  case unauthorized
  /// No response, or a server error.
  case unavailable
  /// A response that is not as documented.
  case invalidResponse = "invalid-response"

  /// Whether no other handle can be read either.
  var endsSync: Bool { self == .rateLimited || self == .unauthorized }

  /// Whether the next sync can continue inside the pages. Otherwise the position could be the reason for the problem.
  var keepsPosition: Bool { endsSync || self == .unavailable }
}

/// A handle to read, and where to begin.
public struct SyncStart: Equatable, Sendable {
  /// The account.
  public let handle: SocialHandle
  /// The newest post that was read. `nil` before the first sync.
  public let sinceId: String?
  /// Where the last sync stopped inside the pages of the account. `nil` if it read all of them.
  public let pagePosition: String?
  /// The longest position that the database stores, in bytes.
  package static let positionByteLimit = 500
  /// The newest post of the pages before the position.
  public let newestId: String?

  /// Creates a start.
  public init(_ handle: SocialHandle, sinceId: String? = nil, pagePosition: String? = nil, newestId: String? = nil) {
    self.handle = handle
    self.sinceId = sinceId
    self.pagePosition = pagePosition
    self.newestId = newestId
  }

  /// Continues after the last sync. `nil` if the platform doesn't allow the handle.
  public init?(_ state: SyncHandle) {
    guard let handle = try? SocialHandle(state.handle, on: state.platform) else { return nil }
    self.init(handle, sinceId: state.sinceId, pagePosition: state.pagePosition, newestId: state.newestId)
  }
}

/// The result of a sync for one handle.
public struct HandleResult: Equatable, Sendable {
  /// The account.
  public let handle: SocialHandle
  /// The platform's ID of the account.
  public internal(set) var externalId: String?
  /// Where the next sync continues. After a problem it is the earlier value, so that no post is lost.
  public internal(set) var sinceId: String?
  /// Where the next sync continues inside the pages of the account. `nil` if all of them were read.
  public internal(set) var pagePosition: String?
  /// What `sinceId` becomes after the last page. `nil` without a position.
  public internal(set) var newestId: String?
  /// Whether the platform responded about this account. `false` if a limit stopped the sync before it.
  public internal(set) var wasRead = false
  /// The new posts, the newest first. Posts that were read before a problem are included.
  public internal(set) var posts: [SyncedPost] = []
  /// The new posts, and those of the same pages that were read before, whose text could have changed.
  public internal(set) var readPosts: [SyncedPost] = []
  /// Why the account could not be read completely. `nil` if it was.
  public internal(set) var problem: SyncProblem?
  /// The number of posts that were skipped because the platform returned them in an unexpected format.
  public internal(set) var skippedCount = 0

  /// The state for the database, without the posts.
  public var state: HandleResult {
    var state = self
    state.posts = []
    state.readPosts = []
    state.skippedCount = 0
    return state
  }
}

/// A post as a platform returned it.
public struct SyncedPost: Equatable, Sendable {
  /// The address, which identifies the post.
  public let address: PostAddress
  /// The whole text; empty for a picture without text.
  public let content: String
  /// When the post was published.
  public let date: Date
  /// The account that was read.
  public let author: SocialHandle
  /// The name of the account, or the handle without one.
  public let authorName: String
  /// As the platform reports it, if it does.
  public let language: String?
}

/// A post as `ingest_posts` reads it: classified.
public struct IngestRow: Equatable, Sendable, Encodable {
  /// The platform of the post.
  public let platform: SocialPlatform
  /// The address in the form of `PostAddress.text`.
  public let postUrl: String
  /// The whole text.
  public let postContent: String
  /// The time in the form of `RecruitingDate.format`.
  public let postDate: String
  /// The author's account, without `@`.
  public let authorHandle: String
  /// The name of the account, or the handle without one.
  public let authorName: String
  /// The decision of `RecruitingClassifier`.
  public let isRecruitingRelated: Bool
  /// The result of `SentimentAnalysis`. `nil` if the post can't be analyzed.
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

  /// Classifies a post of a sync.
  public init(_ post: SyncedPost) {
    platform = post.address.platform
    postUrl = post.address.text
    postContent = post.content.withoutNUL
    postDate = RecruitingDate.format(post.date)
    authorHandle = post.author.name
    authorName = post.authorName.withoutNUL
    isRecruitingRelated = RecruitingClassifier.standard.isRecruitingRelated(post.content)
    sentiment = SentimentAnalysis.sentiment(of: post.content, language: post.language)
  }

  /// Uses the classification of the import.
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
