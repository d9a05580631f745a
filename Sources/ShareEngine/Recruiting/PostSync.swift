#if Recruiting
import ClipModel
import DurableFiles
package import Foundation
import LibCurl
package import Recruiting

/// A post that the backend didn't store.
package struct RefusedPost: Sendable {
  /// The post as the platform returned it.
  package let post: SyncedPost
  /// The column with the invalid value: `post_content`.
  package let field: String
}

/// The result of a sync.
package struct SyncReport: Sendable {
  /// One result for each handle that was read.
  package let results: [HandleResult]
  /// What happened to the posts.
  package let ingest: IngestResult
  /// The posts that the backend didn't store.
  package let refused: [RefusedPost]
  /// The number of posts that were removed, because they were deleted on X.
  package let removed: Int
  /// The platforms whose handles were skipped, because there is no token.
  package let skipped: [SocialPlatform]
  /// When a platform that has a limit accepts requests again.
  package let retryAt: Date?

  /// Whether none of the handles could be read. A sync that read posts before a limit has not failed.
  package var isFailure: Bool {
    !results.isEmpty && results.allSatisfy { $0.problem != nil && $0.readPosts.isEmpty }
  }
}

extension SecretName {
  /// The name for the token of a platform from which posts are read.
  fileprivate static func syncToken(_ platform: SocialPlatform) -> SecretName {
    SecretName(description: "sync-" + platform.rawValue)
  }
}

/// Stores the posts and the state of handles after each response of a platform, which also renews the lock of the sync.
private struct StoredSync {
  let api: RecruitingAPI
  let family: String
  let owner: String
  /// What happened to the posts so far.
  private(set) var ingest = IngestResult()
  /// The posts that were not stored.
  private(set) var refused: [RefusedPost] = []
  /// The states in the database that this sync stored.
  private var states: [SocialHandle: HandleResult] = [:]
  /// The number of stored posts of each handle.
  private var counts: [SocialHandle: Int] = [:]

  init(api: RecruitingAPI, family: String, owner: String) {
    self.api = api
    self.family = family
    self.owner = owner
  }

  /// Stores new posts, and then the states that changed.
  mutating func save(_ results: [HandleResult]) async throws {
    for result in results {
      let posts = Array(result.readPosts.dropFirst(counts[result.handle] ?? 0))
      if !posts.isEmpty {
        let part = try await api.ingest(posts.map { IngestRow($0) }, into: family, owner: owner)
        ingest.add(part, startingAt: counts.values.reduce(0, +))
        refused += part.invalid.filter { posts.indices.contains($0.index) }.map {
          RefusedPost(post: posts[$0.index], field: $0.field)
        }
        counts[result.handle] = result.readPosts.count
      }
      let state = result.state
      if state == states[result.handle] || !result.wasRead && result.problem == nil { continue }
      try await api.saveSyncState(state, of: family, owner: owner)
      states[result.handle] = state
    }
  }
}

extension RecruitingSession {
  /// The tokens for the platforms, from the environment or from the files that `storeToken` wrote.
  private func token(for platform: SocialPlatform) async throws -> Secret? {
    let configuration = environment.configuration
    let setting = platform == .twitter ? configuration.xToken.value : configuration.instagramToken.value
    if let setting { return setting }
    let secrets = SecretStore(places: environment.places)
    return try await WorkerThread.run("bsc sync") { _ in try secrets.read(.syncToken(platform)) }
  }

  /// Stores a token in a file that only the user can read, or removes it.
  package static func storeToken(_ token: Secret?, for platform: SocialPlatform, in places: ApplicationFolders)
    async throws
  {
    let secrets = SecretStore(places: places)
    try await WorkerThread.run("bsc sync") { _ in
      try places.createStateFolders()
      if let token {
        try secrets.write(token, as: .syncToken(platform))
      } else {
        try secrets.delete(.syncToken(platform))
      }
    }
  }

  /// Reads the new posts of the family's coaches and schools, classifies and stores them.
  ///
  /// A handle that can't be read doesn't stop the others. Where the next sync continues is stored after the posts, so that
  /// no post is lost. The sync ends if another one has started, because this one stored nothing for ten minutes.
  package func sync(_ family: FamilyUnit) async throws -> SyncReport {
    let states = try await api.syncHandles(of: family.id)
    if states.isEmpty { throw ShareEngineError(.nothingToSync) }
    var tokens: [SocialPlatform: Secret] = [:]
    for platform in SocialPlatform.allCases { tokens[platform] = try await token(for: platform) }
    if environment.configuration.instagramAccount.value == 0 { tokens[.instagram] = nil }
    if states.allSatisfy({ tokens[$0.platform] == nil }) { throw ShareEngineError(.noSyncToken) }
    let owner = RecruitingAPI.newID()
    var hasLock = false
    do {
      try await api.beginSync(of: family.id, owner: owner)
      hasLock = true
      let report = try await readAndStore(states, tokens, StoredSync(api: api, family: family.id, owner: owner))
      try await api.finishSync(of: family.id, owner: owner)
      return report
    } catch let error as RecruitingError where error.id == .syncLost || (error.id == .rateLimited && !hasLock) {
      // Another sync has the lock.
      throw error
    } catch {
      // Without this request, the next sync could begin only after ten minutes, even if only the response to the start was
      // lost. The task of a canceled sync sends nothing.
      await Task { try? await api.finishSync(of: family.id, owner: owner) }.value
      throw error
    }
  }

  private func readAndStore(
    _ states: [SyncHandle], _ tokens: [SocialPlatform: Secret], _ store: StoredSync
  ) async throws -> SyncReport {
    var store = store
    var results: [HandleResult] = []
    var retryTimes: [Date] = []
    var skipped: [SocialPlatform] = []
    var removed = 0
    for platform in SocialPlatform.allCases {
      let handles = states.filter { $0.platform == platform }.compactMap { SyncStart($0) }
      if handles.isEmpty { continue }
      guard let token = tokens[platform] else {
        skipped.append(platform)
        continue
      }
      let (read, retryAt) = try await read(handles, on: platform, token, &store)
      results += read
      if platform == .twitter, XPostLookup.isDue(states, now: Date()) {
        removed = try await removeDeletedPosts(of: store.family, after: read, token)
      }
      if let retryAt { retryTimes.append(retryAt) }
    }
    return SyncReport(
      results: results, ingest: store.ingest, refused: store.refused, removed: removed, skipped: skipped,
      retryAt: retryTimes.max())
  }

  /// Removes those of the newest 100 posts on X that were deleted there.
  /// - Parameter results: the results of the sync for X.
  /// - Returns: the number of removed posts.
  private func removeDeletedPosts(
    of family: String, after results: [HandleResult], _ token: Secret
  ) async throws -> Int {
    let stored = try await api.posts(of: family, PostFilter(platform: .twitter), limit: XPostLookup.limit)
    let known = XPostLookup.candidates(stored, after: results)
    let lookup = XPostLookup(known.map { $0.address })
    guard let request = lookup.request else { return 0 }
    let deleted = lookup.deletedPosts(try await fetch(request, from: environment.configuration.xURL.value, token))
    let ids = known.filter { deleted.contains($0.address) }.map(\.id)
    return try await api.removePosts(ids, of: family)
  }

  private func read(
    _ handles: [SyncStart], on platform: SocialPlatform, _ token: Secret, _ store: inout StoredSync
  ) async throws -> (results: [HandleResult], retryAt: Date?) {
    let configuration = environment.configuration
    switch platform {
    case .twitter:
      var sync = XSync(handles)
      while let request = sync.nextRequest() {
        sync.receive(try await fetch(request, from: configuration.xURL.value, token), now: Date())
        try await store.save(sync.results)
      }
      return (sync.results, sync.retryAt)
    case .instagram:
      var sync = InstagramSync(handles, ownId: "\(configuration.instagramAccount.value)")
      while let request = sync.nextRequest() {
        sync.receive(try await fetch(request, from: configuration.instagramURL.value, token), now: Date())
        try await store.save(sync.results)
      }
      return (sync.results, sync.retryAt)
    }
  }

  /// The response of a platform, or `nil` if there was none.
  private func fetch(_ request: SyncRequest, from base: String, _ token: Secret) async throws -> SyncResponse? {
    let query = request.query.sorted { $0.key < $1.key }.map { "\($0.key.percentEncoded)=\($0.value.percentEncoded)" }
    var url = base
    if url.hasSuffix("/") { url.removeLast() }
    var http = HTTPRequest(
      .get, url: "\(url)\(request.path)?\(query.joined(separator: "&"))",
      headers: ["Authorization": "Bearer \(token.revealed)", "Accept": "application/json"],
      maximumResponseByteCount: 32 << 20)
    http.responseTimeout = .seconds(60)
    do {
      let response = try await transport.send(http)
      if response.isBodyTruncated { return nil }
      let headers = Dictionary(response.headers.fields.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
      return SyncResponse(status: response.status, headers: headers, body: Data(response.body))
    } catch is CurlError {
      return nil
    }
  }
}
#endif
