import Foundation
import Hummingbird

/// Decides whether a request may read an asset's files.
///
/// Public videos are open to everyone, as at Mux. Other videos need a token, or the credentials of a caller who can see the
/// highlight: its access token, or the session of one of this server's pages.
struct PlaybackAccess: Sendable {
  let server: ServerDependencies

  /// An asset that a request may read.
  struct Grant: Sendable {
    var asset: AssetRow
    /// The token and its claims, if the request has a token.
    var token: (text: String, claims: PlaybackTokens.Claims)?
    var isClosed: Bool

    /// Clients must ask again before they show a closed video, so that a cache can't outlive a change of its level.
    var cacheControl: String { isClosed ? "private, no-cache" : "private, max-age=3600" }
  }

  /// Grants a request access to an asset for one use.
  /// - Throws: a 404 error if the asset doesn't exist, and a 403 error if the request may not read it.
  func grant(_ playbackID: String, _ use: PlaybackTokens.Use, _ request: Request) async throws -> Grant {
    if let text = request.uri.queryParameters.get("token") {
      guard let claims = await server.playback.verify(text, of: playbackID, use, now: server.now) else {
        throw Self.refusal("the token has expired, or is for something else")
      }
      let found = try await server.store.playableAsset(playbackID, for: .service)
      return Grant(asset: found.asset, token: (text, claims), isClosed: true)
    }
    let found = try await server.store.playableAsset(playbackID, for: try await caller(of: request))
    guard !found.isClosed || found.mayWatch else {
      throw Self.refusal("this video needs a token; request one from /functions/v1/playback")
    }
    if use == .file, !found.allowsDownloads, !found.isAuthor, !Self.isPlaying(request) {
      throw Self.refusal("the author does not allow downloads", "downloads_off")
    }
    return Grant(asset: found.asset, isClosed: found.isClosed)
  }

  /// Whether the request comes from the video element of one of this server's pages. Scripts can't set these headers.
  ///
  /// Browsers send `Sec-Fetch` headers only with HTTPS and to this machine. With HTTP from another machine, the address of
  /// the page has to do.
  private static func isPlaying(_ request: Request) -> Bool {
    guard let site = request.headers.value(of: "sec-fetch-site") else {
      return request.headers.value(of: "referer")?.hasPrefix(request.requestedBaseURL + "/") ?? false
    }
    return site == "same-origin" && request.headers.value(of: "sec-fetch-dest") == "video"
  }

  private func caller(of request: Request) async throws -> Caller {
    if !CallerIdentity.hasCredentials(request), let session = try await server.site.sessions.session(of: request) {
      return .user(session.user)
    }
    return try await server.callers.caller(of: request)
  }

  private static func refusal(_ reason: String, _ type: String = "not_allowed") -> BackendFailure {
    BackendFailure(.forbidden, type, reason)
  }
}
