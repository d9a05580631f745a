public import Foundation

/// Reads the new posts of professional accounts on Instagram with the Graph API's business discovery: selects the next
/// request and interprets each response. The caller sends the requests.
///
/// An account's posts are read 25 per request, until one that was read before, at most 500. A sync that a limit stopped inside
/// the pages of an account continues at the next page.
public struct InstagramSync: Sendable {
  private var queue: HandleQueue
  private let ownId: String
  /// The account whose pages are being read.
  private var index: Int?
  private var cursor: String?
  private var pages = 0
  private var newest: Date?
  /// When the platform accepts requests again, after `rateLimited`.
  public private(set) var retryAt: Date?

  private static let pageLimit = 20

  /// - Parameters:
  ///   - handles: with the times of the newest posts as `HandleResult.sinceId`, in the order in which they are read.
  ///   - ownId: the ID of the account that sends the requests.
  public init(_ handles: [SyncStart], ownId: String) {
    queue = HandleQueue(handles)
    self.ownId = ownId
  }

  /// One result for each handle, in their order.
  public var results: [HandleResult] { queue.results }

  /// The next request, or `nil` at the end. The same request until there is a response.
  public mutating func nextRequest() -> SyncRequest? {
    guard let index = queue.next() else { return nil }
    if index != self.index {
      let start = queue.results[index]
      self.index = index
      cursor = start.pagePosition.flatMap { Self.isUsable($0) ? $0 : nil }
      newest = start.newestId.flatMap(RecruitingDate.parse)
    }
    let after = cursor.map { ".after(\($0))" } ?? ""
    let media = "media\(after).limit(25){caption,permalink,timestamp}"
    let name = queue.results[index].handle.name
    return SyncRequest(
      path: "/\(ownId)", query: ["fields": "business_discovery.username(\(name)){id,name,\(media)}"])
  }

  /// The response to the last request; `nil` if there was none.
  public mutating func receive(_ response: SyncResponse?, now: Date) {
    do throws(SyncProblem) {
      try receivePosts(try checked(response, now: now))
    } catch {
      queue.fail(error)
      reset()
    }
    if let response, Self.usage(response) >= 95, queue.hasMore {
      retryAt = now.addingTimeInterval(3600)
      queue.fail(.rateLimited)
    }
  }

  private mutating func reset() {
    index = nil
    cursor = nil
    pages = 0
    newest = nil
  }

  private struct Failure: Decodable {
    struct Reason: Decodable {
      let code: Int
    }

    let error: Reason
  }

  /// The codes of the Graph API: 190 and 10 are about the token, 4, 17, 32 and 613 about limits, 110 about the account.
  private mutating func checked(_ response: SyncResponse?, now: Date) throws(SyncProblem) -> Data {
    guard let response else { throw .unavailable }
    if response.status == 200 { return response.body }
    let reason = (try? SyncResponse.decoder.decode(Failure.self, from: response.body))?.error
    switch (response.status, reason?.code) {
    case (429, _), (_, 4), (_, 17), (_, 32), (_, 613):
      retryAt = response.retryTime(now: now) ?? now + 3600
      throw .rateLimited
    case (401, _), (_, 190), (_, 10), (_, 200): throw .unauthorized
    case (_, 110): throw .notReadable
    case (500..., _), (_, 1), (_, 2): throw .unavailable
    default: throw reason == nil ? .invalidResponse : .notReadable
    }
  }

  /// The largest percentage of the app's limits, from `X-App-Usage`.
  private static func usage(_ response: SyncResponse) -> Double {
    guard let text = response.headers["x-app-usage"] else { return 0 }
    let values = try? JSONDecoder().decode([String: Double].self, from: Data(text.utf8))
    return values?.values.max() ?? 0
  }

  private struct Discovery: Decodable {
    struct Account: Decodable {
      let id: String?
      let name: String?
      let media: Media?
    }

    struct Media: Decodable {
      let data: RowList<Post>
      let paging: Paging?
    }

    struct Post: Decodable, Sendable {
      /// Posts can have no text.
      let caption: String?
      let permalink: String
      let timestamp: String
    }

    struct Paging: Decodable {
      struct Cursors: Decodable {
        let after: String?
      }

      let cursors: Cursors?
    }

    let businessDiscovery: Account
  }

  private mutating func receivePosts(_ body: Data) throws(SyncProblem) {
    guard let account = (try? SyncResponse.decoder.decode(Discovery.self, from: body))?.businessDiscovery,
      let index = queue.current,
      // The database stores the ID.
      account.id.map({ $0.wholeMatch(of: /\d{1,64}/) != nil }) ?? true
    else { throw .invalidResponse }
    let handle = queue.results[index].handle
    let since = queue.results[index].sinceId.flatMap(RecruitingDate.parse)
    var reachesKnown = false
    var posts: [SyncedPost] = []
    // A caption can have changed.
    var known: [SyncedPost] = []
    var skippedCount = account.media?.data.skipped.count ?? 0
    for post in account.media?.data.rows ?? [] {
      guard let date = RecruitingDate.parse(post.timestamp),
        let address = try? PostAddress(post.permalink, on: .instagram)
      else {
        skippedCount += 1
        continue
      }
      let synced = SyncedPost(
        address: address, content: post.caption ?? "", date: date, author: handle,
        authorName: account.name ?? handle.name, language: nil)
      if let since, date <= since {
        reachesKnown = true
        known.append(synced)
        continue
      }
      newest = max(newest ?? date, date)
      posts.append(synced)
    }
    let (newPosts, allPosts, skipped) = (posts, posts + known, skippedCount)
    queue.change(index) {
      $0.externalId = account.id
      $0.posts += newPosts
      $0.readPosts += allPosts
      $0.skippedCount += skipped
      $0.wasRead = true
    }
    pages += 1
    guard let next = account.media?.paging?.cursors?.after, Self.isUsable(next), !reachesKnown, next != cursor,
      pages < Self.pageLimit
    else {
      queue.finish(sinceId: newest.map(RecruitingDate.format))
      return reset()
    }
    cursor = next
    let newestId = newest.map(RecruitingDate.format)
    queue.change(index) {
      // The database stores the position.
      $0.pagePosition = next.utf8.count <= SyncStart.positionByteLimit ? next : nil
      $0.newestId = $0.pagePosition == nil ? nil : newestId
    }
  }

  /// Cursors become part of the fields.
  private static func isUsable(_ cursor: String) -> Bool {
    !cursor.isEmpty && cursor.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"(){}.,".utf8.contains($0) }
  }
}
