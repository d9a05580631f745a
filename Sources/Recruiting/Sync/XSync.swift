public import Foundation

/// Reads the new posts of accounts on X with API v2: selects the next request and interprets each response. The caller sends
/// the requests.
///
/// One request looks up 100 accounts. Then each account's posts are read, 100 per request, at most the newest 3,200, without
/// reposts and replies. A sync that a limit stopped inside the pages of an account continues after the oldest post that it
/// read, or at the next page if the last one contained only reposts and replies.
public struct XSync: Sendable {
  private var queue: HandleQueue
  /// Accounts by lowercase name.
  private var accounts: [String: Account] = [:]
  private var unresolved: [String]
  private var requested: [String] = []
  private var timeline = Timeline()
  /// When the platform accepts requests again, after `rateLimited`.
  public private(set) var retryAt: Date?

  /// The pages of the account that is being read.
  private struct Timeline: Sendable {
    var index: Int?
    var pages = 0
    var token: String?
    /// The position at which an earlier sync stopped.
    var untilId: String?
    var newestId: String?
  }

  private static let pageLimit = 32
  /// Precedes the token of a page in a stored position. Other positions are IDs of posts.
  private static let tokenPrefix = "token:"

  /// - Parameter handles: with the IDs of posts as the positions, in the order in which they are read.
  public init(_ handles: [SyncStart]) {
    queue = HandleQueue(handles)
    unresolved = handles.map { $0.handle.name.lowercased() }
  }

  /// One result for each handle, in their order.
  public var results: [HandleResult] { queue.results }

  /// The next request, or `nil` at the end. The same request until there is a response.
  public mutating func nextRequest() -> SyncRequest? {
    if queue.end != nil { return nil }
    if !unresolved.isEmpty {
      requested = Array(unresolved.prefix(100))
      return SyncRequest(
        path: "/2/users/by", query: ["usernames": requested.joined(separator: ","), "user.fields": "name,protected"])
    }
    guard let index = queue.next(), let id = queue.results[index].externalId else { return nil }
    var query = [
      "max_results": "100", "exclude": "retweets,replies", "tweet.fields": "created_at,lang,note_tweet",
    ]
    if timeline.index != index {
      let start = queue.results[index]
      timeline = Timeline(index: index, newestId: start.newestId)
      if let position = start.pagePosition, position.hasPrefix(Self.tokenPrefix) {
        timeline.token = String(position.dropFirst(Self.tokenPrefix.count))
      } else {
        timeline.untilId = start.pagePosition
      }
    }
    query["since_id"] = queue.results[index].sinceId
    query["until_id"] = timeline.untilId
    query["pagination_token"] = timeline.token
    return SyncRequest(path: "/2/users/\(id)/tweets", query: query)
  }

  /// The response to the last request; `nil` if there was none.
  public mutating func receive(_ response: SyncResponse?, now: Date) {
    let isLookup = !unresolved.isEmpty
    do throws(SyncProblem) {
      let body = try checked(response, now: now)
      if unresolved.isEmpty { try receivePosts(body) } else { try receiveAccounts(body) }
    } catch {
      if unresolved.isEmpty {
        queue.fail(error)
        timeline = Timeline()
      } else {
        failLookup(error)
      }
    }
    if let response, response.status == 200, response.headers["x-rate-limit-remaining"] == "0" {
      stop(isLookup, until: resetTime(response, now: now))
    }
  }

  /// The next request of the same kind would exceed the platform's limit. Each kind has a separate one.
  private mutating func stop(_ isLookup: Bool, until time: Date) {
    if isLookup, !unresolved.isEmpty {
      retryAt = time
      setProblem(.rateLimited, of: Set(unresolved))
      unresolved = []
    } else if !isLookup, queue.hasMore {
      retryAt = time
      queue.fail(.rateLimited)
    }
  }

  private func resetTime(_ response: SyncResponse, now: Date) -> Date {
    let reset = response.headers["x-rate-limit-reset"].flatMap(Double.init).flatMap { seconds in
      let time = Date(timeIntervalSince1970: seconds)
      return seconds.isFinite && time > now ? SyncResponse.boundedTime(time, now: now) : nil
    }
    return [reset, response.retryTime(now: now)].compactMap(\.self).max() ?? now + 15 * 60
  }

  private mutating func checked(_ response: SyncResponse?, now: Date) throws(SyncProblem) -> Data {
    guard let response else { throw .unavailable }
    switch response.status {
    case 200: return response.body
    case 401, 403: throw .unauthorized
    case 404: throw .unknownAccount
    case 429:
      retryAt = resetTime(response, now: now)
      throw .rateLimited
    default: throw response.status >= 500 ? .unavailable : .invalidResponse
    }
  }

  private mutating func failLookup(_ problem: SyncProblem) {
    unresolved.removeFirst(requested.count)
    setProblem(problem, of: Set(requested))
    if problem.endsSync { queue.endSync(problem) }
  }

  private mutating func setProblem(_ problem: SyncProblem, of names: Set<String>) {
    for (index, result) in queue.results.enumerated() where names.contains(result.handle.name.lowercased()) {
      queue.setProblem(problem, of: index)
    }
  }

  // MARK: Accounts

  private struct Account: Decodable, Sendable {
    let id: String
    let username: String
    let name: String?
    let protected: Bool?
  }

  private struct AccountList: Decodable {
    let data: RowList<Account>?
  }

  private mutating func receiveAccounts(_ body: Data) throws(SyncProblem) {
    guard let list = try? SyncResponse.decoder.decode(AccountList.self, from: body) else { throw .invalidResponse }
    unresolved.removeFirst(requested.count)
    for account in list.data?.rows ?? [] where isDigits(account.id) {
      accounts[account.username.lowercased()] = account
    }
    for (index, result) in queue.results.enumerated() where requested.contains(result.handle.name.lowercased()) {
      let account = accounts[result.handle.name.lowercased()]
      queue.change(index) { $0.externalId = account?.id }
      if account == nil {
        queue.setProblem(.unknownAccount, of: index)
      } else if account?.protected == true {
        queue.setProblem(.protectedAccount, of: index)
      }
    }
  }

  /// IDs become part of paths.
  private func isDigits(_ id: String) -> Bool {
    (1...20).contains(id.utf8.count) && id.utf8.allSatisfy { (48...57).contains($0) }
  }

  // MARK: Posts

  private struct Post: Decodable, Sendable {
    struct Note: Decodable, Sendable {
      let text: String
    }

    let id: String
    let text: String
    let createdAt: String
    let lang: String?
    /// The whole text of a long post.
    let noteTweet: Note?
    /// An edited post has a new ID. The first one stays here.
    let editHistoryTweetIds: [String]?
  }

  private struct PostList: Decodable {
    struct Meta: Decodable {
      let newestId: String?
      let oldestId: String?
      let nextToken: String?
    }

    struct Failure: Decodable, Sendable {
      let title: String
    }

    let data: RowList<Post>?
    let meta: Meta?
    /// Instead of the others, for accounts that became protected.
    let errors: RowList<Failure>?
  }

  private mutating func receivePosts(_ body: Data) throws(SyncProblem) {
    guard let list = try? SyncResponse.decoder.decode(PostList.self, from: body), let index = queue.current else {
      throw .invalidResponse
    }
    // The database stores these IDs as the places where the next sync continues.
    for case let id? in [list.meta?.newestId, list.meta?.oldestId] where id.wholeMatch(of: /[1-9][0-9]{0,18}/) == nil {
      throw .invalidResponse
    }
    guard let meta = list.meta else { throw list.errors == nil ? .invalidResponse : .protectedAccount }
    let handle = queue.results[index].handle
    let name = accounts[handle.name.lowercased()]?.name ?? handle.name
    let rows = list.data?.rows ?? []
    let posts = rows.compactMap { post -> SyncedPost? in
      let id = post.editHistoryTweetIds?.first ?? post.id
      guard let date = RecruitingDate.parse(post.createdAt),
        let address = try? PostAddress("https://x.com/\(handle.name)/status/\(id)", on: .twitter)
      else { return nil }
      return SyncedPost(
        address: address, content: post.noteTweet?.text ?? post.text, date: date, author: handle, authorName: name,
        language: post.lang)
    }
    let skippedCount = rows.count - posts.count + (list.data?.skipped.count ?? 0)
    queue.change(index) {
      $0.posts += posts
      $0.readPosts += posts
      $0.skippedCount += skippedCount
      $0.wasRead = true
    }
    timeline.newestId = timeline.newestId ?? meta.newestId
    timeline.pages += 1
    // The same page again would never end.
    if let next = meta.nextToken, next == timeline.token { throw .invalidResponse }
    timeline.token = meta.nextToken
    if timeline.token == nil || timeline.pages == Self.pageLimit {
      queue.finish(sinceId: timeline.newestId)
      timeline = Timeline()
    } else if let position = meta.oldestId ?? meta.nextToken.flatMap(Self.position) {
      let newest = timeline.newestId
      queue.change(index) {
        $0.pagePosition = position
        $0.newestId = newest
      }
    }
  }

  /// The position of a page, for the database. `nil` if it can't store the token.
  private static func position(_ token: String) -> String? {
    let position = tokenPrefix + token
    let isUsable = !token.isEmpty && token.utf8.allSatisfy { (33...126).contains($0) }
    return isUsable && position.utf8.count <= SyncStart.positionByteLimit ? position : nil
  }
}
