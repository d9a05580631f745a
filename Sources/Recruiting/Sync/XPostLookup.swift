import Foundation

/// Looks up stored posts on X, to find those that were deleted there. One request, for at most 100 posts. The caller sends it.
public struct XPostLookup: Sendable {
  /// The posts that one request can contain.
  public static let limit = 100

  private let ids: [String]

  /// - Parameter addresses: addresses of posts on X. Those after the first 100 are left out.
  public init(_ addresses: [PostAddress]) {
    ids = addresses.prefix(Self.limit).compactMap { $0.text.split(separator: "/").last.map(String.init) }
  }

  /// The request, or `nil` without posts.
  public var request: SyncRequest? {
    ids.isEmpty ? nil : SyncRequest(path: "/2/tweets", query: ["ids": ids.joined(separator: ",")])
  }

  private struct Failure: Decodable, Sendable {
    let resourceId: String
    let type: String
  }

  private struct Answer: Decodable {
    let errors: RowList<Failure>?
  }

  /// The keys of the posts that no longer exist, as `PostAddress.key`. Posts that only can't be read, because their account
  /// became protected, and posts about which the response says nothing, are not among them.
  public func deletedKeys(_ response: SyncResponse?) -> Set<String> {
    guard let response, response.status == 200,
      let answer = try? SyncResponse.decoder.decode(Answer.self, from: response.body)
    else { return [] }
    let missing = answer.errors?.rows.filter { $0.type.hasSuffix("/problems/resource-not-found") } ?? []
    return Set(missing.map(\.resourceId)).intersection(ids).reduce(into: []) { $0.insert("twitter.com/\($1)") }
  }
}
