public import Foundation

/// Looks up stored posts on X, to find those that were deleted there. One request, for at most 100 posts. The caller sends it.
public struct XPostLookup: Sendable {
  /// The posts that one request can contain.
  public static let limit = 100

  /// The posts by ID.
  private let addresses: [String: PostAddress]

  /// - Parameter addresses: addresses of posts on X. Those after the first 100 are left out, and those with an invalid ID, for
  ///   which X rejects the whole request.
  public init(_ addresses: [PostAddress]) {
    let usable = addresses.prefix(Self.limit).filter { $0.id.wholeMatch(of: /[1-9][0-9]{0,18}/) != nil }
    self.addresses = Dictionary(usable.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Whether a sync looks up posts: the first one of a day in UTC, because X counts each post that is looked up.
  /// - Parameter handles: the state before the sync.
  public static func isDue(_ handles: [SyncHandle], now: Date) -> Bool {
    func day(_ time: Date) -> Double { (time.timeIntervalSince1970 / 86_400).rounded(.down) }
    guard let last = handles.filter({ $0.platform == .twitter }).compactMap({ $0.lastSyncedAt }).max() else {
      return false
    }
    return day(last) < day(now)
  }

  /// The posts to look up, without those that the sync has just read. X also reports the posts of deactivated accounts as
  /// missing, so only those of accounts that X returned in this sync are looked up.
  /// - Parameters:
  ///   - posts: stored posts on X.
  ///   - results: the results of the sync for X.
  public static func candidates(
    _ posts: [SocialPost], after results: [HandleResult]
  ) -> [(id: String, address: PostAddress)] {
    let found = results.filter {
      $0.externalId != nil && $0.problem != .unknownAccount && $0.problem != .protectedAccount
    }
    let names = Set(found.map { $0.handle.name.lowercased() })
    let read = Set(results.flatMap { $0.readPosts.map(\.address) })
    return posts.compactMap { post -> (id: String, address: PostAddress)? in
      guard names.contains(post.authorHandle.lowercased()), let address = try? PostAddress(post.postUrl, on: .twitter),
        !read.contains(address)
      else { return nil }
      return (id: post.id, address: address)
    }
  }

  /// The request, or `nil` without posts.
  public var request: SyncRequest? {
    let ids = addresses.keys.sorted()
    return ids.isEmpty ? nil : SyncRequest(path: "/2/tweets", query: ["ids": ids.joined(separator: ",")])
  }

  private struct Failure: Decodable, Sendable {
    /// X documents only `value` for some errors.
    let resourceId: String?
    let value: String?
    let type: String
  }

  private struct Answer: Decodable {
    let errors: RowList<Failure>?
  }

  /// The posts that no longer exist. Posts that can't be read, because their account became protected, and posts that the
  /// response doesn't contain are not included.
  public func deletedPosts(_ response: SyncResponse?) -> Set<PostAddress> {
    guard let response, response.status == 200,
      let answer = try? SyncResponse.decoder.decode(Answer.self, from: response.body)
    else { return [] }
    let missing = answer.errors?.rows.filter { $0.type.hasSuffix("/problems/resource-not-found") } ?? []
    return Set(missing.compactMap { ($0.resourceId ?? $0.value).flatMap { addresses[$0] } })
  }
}
