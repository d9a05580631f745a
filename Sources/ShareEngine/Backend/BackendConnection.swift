package import ClipModel
package import Foundation
package import Highlights
package import LibCurl

/// A connection to the configured backend. If no other process is running the local backend, the local backend starts
/// in this process.
package actor BackendConnection {
  private enum BackendTarget {
    case local(any LocalBackendHost)
    case supabase(SupabaseProject)
    case mux(MuxBackend)
  }

  package nonisolated let kind: BackendKind
  private let transport: any HTTPTransport
  private let playback: PlaybackURLs
  private let signIn: LazySignIn?
  private let target: BackendTarget

  /// - Parameters:
  ///   - signIn: signs the user in when necessary. If it is `nil` and there is no session, requests fail.
  ///   - notice: receives a message once, when the backend is unavailable and requests are being retried.
  package init(
    _ environment: EngineEnvironment, transport: any HTTPTransport, signIn: LazySignIn? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.signIn = signIn
    let configuration = environment.configuration
    kind = configuration.backend.value
    // If a local backend has stopped, it is restarted, so no notice is needed.
    let transport = kind == .local ? transport : OutageNoticeTransport(transport, notice: notice)
    self.transport = transport
    playback = PlaybackURLs(
      stream: configuration.muxStreamURL.value, image: configuration.muxImageURL.value,
      player: configuration.muxPlayerURL.value)
    switch kind {
    case .local:
      target = .local(environment.localBackend(environment.places, configuration))
    case .supabase: target = .supabase(try SupabaseProject(environment, transport: transport))
    case .mux:
      let quality = configuration.muxVideoQuality.value
      target = .mux(
        MuxBackend(
          url: configuration.muxURL.value, token: try Self.makeMuxToken(configuration), playback: playback,
          videoQuality: quality == .account ? nil : quality.rawValue, transport: transport))
    }
  }

  private static func makeMuxToken(_ configuration: Configuration) throws -> MuxBackend.AccessToken {
    if let id = configuration.muxTokenID.value, let secret = configuration.muxTokenSecret.value {
      return MuxBackend.AccessToken(id: id.revealed, secret: secret.revealed)
    }
    let tokens = [
      ("BSC_MUX_TOKEN_ID", configuration.muxTokenID.value),
      ("BSC_MUX_TOKEN_SECRET", configuration.muxTokenSecret.value),
    ]
    let missing = tokens.filter { $0.1 == nil }.map(\.0)
    throw ShareEngineError(
      .muxNotSet, ["settings": missing.joined(separator: " and ") + (missing.count == 1 ? " is" : " are")])
  }

  /// The backend's API. Each request uses the backend's current URL and token.
  package nonisolated var backend: any HighlightBackend {
    if case .mux(let backend) = target { return backend }
    // Local requests are cheap and the local backend is fast, so the polling intervals are short.
    let pauses: ClosedRange<Duration> =
      if case .local = target { .milliseconds(25) ... .milliseconds(50) } else { .milliseconds(250) ... .seconds(5) }
    return HighlightsAPI(transport: transport, pollingPauses: pauses) { try await self.endpoint(refused: $0) }
  }

  /// Whether the local backend runs in this process. If it does, its URLs stop working when the process exits.
  package var isEmbedded: Bool {
    get async {
      guard case .local(let host) = target else { return false }
      return await host.isEmbedded
    }
  }

  /// Returns the backend's current URL and token. They can change between requests, because another process can stop
  /// the server, and tokens expire.
  /// - Parameter refused: the endpoint whose token the server rejected, if any.
  package func endpoint(refused: BackendEndpoint? = nil) async throws -> BackendEndpoint {
    switch target {
    case .local(let host):
      let address = try await host.address()
      return .localBackend(baseURL: address.baseURL.absoluteString, token: address.ownerToken)
    case .supabase(let project):
      do {
        return try await project.endpoint(refused: refused)
      } catch let error as AuthError where error.requiresSignIn {
        guard let signIn else { throw error }
        try await signIn.signIn(project, missing: error)
        return try await project.endpoint(refused: nil)
      }
    // Mux has a different API, without such an endpoint.
    case .mux: throw ShareEngineError(.backendUnsupported, ["backend": kind.rawValue])
    }
  }

  /// Returns the URLs of a highlight.
  package func links(to highlight: Highlight) async throws -> HighlightLinks {
    let id = highlight.id.uuidString.lowercased()
    guard let video = highlight.muxPlaybackID else { return try await signedLinks(to: highlight) }
    switch target {
    case .local:
      let endpoint = try await endpoint()
      return HighlightLinks(
        page: endpoint.resolveURL("/h/\(id)"),
        video: endpoint.resolveURL(video.contains("://") ? video : "/stream/\(video).mp4"),
        videos: highlight.videoURLs.map { $0.map { endpoint.resolveURL(Self.localFileURL($0)) } },
        thumbnail: highlight.thumbnailURL.map(endpoint.resolveURL))
    case .supabase, .mux:
      // If a local server replaces the Supabase project, its thumbnail URLs are relative and not usable.
      let thumbnail = highlight.thumbnailURL.flatMap { $0.contains("://") ? $0 : nil }
      return HighlightLinks(
        watch: playback.pageURL(video) ?? playback.videoURL(video), page: playback.pageURL(video),
        video: playback.videoURL(video),
        videos: highlight.videoURLs.map { $0.map(playback.videoURL) },
        thumbnail: thumbnail ?? playback.thumbnailURL(video), animated: playback.animationURL(video))
    }
  }

  /// Returns the URLs of a highlight that isn't public.
  private func signedLinks(to highlight: Highlight) async throws -> HighlightLinks {
    let id = highlight.id.uuidString.lowercased()
    let clips = try await backend.playback(of: highlight.id)?.clips ?? []
    if case .local = target {
      let videos = clips.map { $0.file ?? $0.video }
      return HighlightLinks(
        page: try await endpoint().resolveURL("/h/\(id)"), video: videos.first,
        videos: videos.count > 1 ? videos : nil, thumbnail: clips.first?.thumbnail)
    }
    return HighlightLinks(
      watch: clips.first?.video, video: clips.first?.video,
      videos: clips.count > 1 ? clips.map(\.video) : nil, thumbnail: clips.first?.thumbnail,
      animated: clips.first?.animation)
  }

  /// Returns a highlight's URL for a browser on this machine. If the backend is local, the URL also signs the owner in.
  /// - Returns: the URL, or `nil` if there is none, or if it would stop working when this process exits.
  package func browserURL(of highlight: Highlight) async throws -> String? {
    guard case .local(let host) = target else { return try await links(to: highlight).watch }
    let address = try await host.address()
    guard await !host.isEmbedded else { return nil }
    return address.ownerSignInURL("/h/\(highlight.id.uuidString.lowercased())").absoluteString
  }

  /// Returns the URL of a clip's file instead of its HLS playlist.
  private static func localFileURL(_ video: String) -> String {
    video.hasPrefix("/stream/") && video.hasSuffix(".m3u8") ? "\(video.dropLast(".m3u8".count)).mp4" : video
  }

  /// Converts an upload URL to an absolute URL.
  package func resolveUploadURL(_ reference: String) async throws -> String {
    if reference.hasPrefix("https://") || reference.hasPrefix("http://") { return reference }
    return try await endpoint().resolveURL(reference)
  }

  /// The ID of the signed-in account. Signs the user in if necessary.
  /// - Throws: `AuthError` if there is no account, or the error of the request to the backend.
  package func accountID() async throws -> UUID {
    switch target {
    case .local(let host):
      // The built-in local user.
      guard let id = AuthSession.userID(ofToken: try await host.address().ownerToken) else {
        throw AuthError.notSignedIn
      }
      return id
    case .supabase(let project):
      do {
        if let id = try await project.signIn.userID() { return id }
      } catch let error as AuthError where error.requiresSignIn {
        _ = try await endpoint()
      }
      guard let id = try await project.signIn.userID() else { throw AuthError.notSignedIn }
      return id
    case .mux: throw ShareEngineError(.backendUnsupported, ["backend": kind.rawValue])
    }
  }

  /// The ID of the user whose highlights are listed, or `nil` to list the highlights of all users.
  package var author: UUID? {
    get async throws {
      guard case .supabase(let project) = target else { return nil }
      return try await project.signIn.userID()
    }
  }

  /// Returns the download URLs for a highlight's files: its clips in order, and its poster.
  func downloadURLs(
    of highlight: Highlight
  ) async throws -> (videos: [HighlightExport.DownloadAddress], poster: HighlightExport.DownloadAddress?) {
    let links = try await links(to: highlight)
    // Don't send the user's token to other servers. A local server can also replace a project and Mux.
    let (origin, headers): (String?, [String: String])
    switch target {
    case .local: (origin, headers) = (try await endpoint().functionsURL, try await endpoint().headers)
    case .supabase(let project): (origin, headers) = (project.url, try await endpoint().headers)
    case .mux: (origin, headers) = (nil, [:])
    }
    func makeAddress(_ url: String) -> HighlightExport.DownloadAddress {
      .init(url: url, headers: origin.map { url.hasPrefix($0 + "/") } == true ? headers : [:])
    }
    var videos: [String]
    if case .local = target {
      videos = links.videos ?? [links.video].compactMap(\.self)
    } else {
      videos = (highlight.videoURLs ?? [highlight.muxPlaybackID].compactMap(\.self)).map(playback.fileURL)
      if videos.isEmpty { videos = try await backend.playback(of: highlight.id)?.clips.compactMap(\.file) ?? [] }
    }
    return (videos.map(makeAddress), links.thumbnail.map(makeAddress))
  }

  /// The public URL with which the server of the local backend was started, if it has one.
  var publicURL: URL? {
    get async throws {
      guard case .local(let host) = target else { return nil }
      return try await host.address().publicURL
    }
  }

  /// Runs `body`, then stops the backend server if this process started it.
  nonisolated func runAndClose<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      let value = try await body()
      await close()
      return value
    } catch {
      await close()
      throw error
    }
  }

  /// Stops the backend server if this process started it.
  package func close() async {
    if case .local(let host) = target { await host.close() }
  }
}
