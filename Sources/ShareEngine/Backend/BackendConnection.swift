package import ClipModel
package import Foundation
package import Highlights
package import LibCurl

/// The connection to the configured backend. The local backend starts in this process if no other process runs it.
package actor BackendConnection {
  private enum Target {
    case local(any LocalBackendHost)
    case supabase(SupabaseProject)
    case mux(MuxBackend)
  }

  package nonisolated let kind: BackendKind
  private let transport: any HTTPTransport
  private let playback: PlaybackURLs
  private let signIn: LazySignIn?
  private let target: Target

  /// - Parameters:
  ///   - signIn: signs the user in when necessary; if it is `nil`, a missing session is an error.
  ///   - notice: called once when the backend is unreachable and requests are being retried.
  package init(
    _ environment: EngineEnvironment, transport: any HTTPTransport, signIn: LazySignIn? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.signIn = signIn
    let configuration = environment.configuration
    kind = configuration.backend.value
    // A local backend that has stopped is restarted, so no notice is needed.
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
          url: configuration.muxURL.value, token: try Self.muxToken(configuration), playback: playback,
          videoQuality: quality == .account ? nil : quality.rawValue, transport: transport))
    }
  }

  private static func muxToken(_ configuration: Configuration) throws -> MuxBackend.Token {
    if let id = configuration.muxTokenID.value, let secret = configuration.muxTokenSecret.value {
      return MuxBackend.Token(id: id.revealed, secret: secret.revealed)
    }
    let tokens = [
      ("BSC_MUX_TOKEN_ID", configuration.muxTokenID.value),
      ("BSC_MUX_TOKEN_SECRET", configuration.muxTokenSecret.value),
    ]
    let missing = tokens.filter { $0.1 == nil }.map(\.0)
    throw ShareEngineError(
      .muxNotSet, ["settings": missing.joined(separator: " and ") + (missing.count == 1 ? " is" : " are")])
  }

  /// The backend's API. Each request uses the current URL and token.
  package nonisolated var backend: any HighlightBackend {
    if case .mux(let backend) = target { return backend }
    // Requests on this machine are cheap and the local backend is fast, so the pauses are short.
    let pauses: ClosedRange<Duration> =
      if case .local = target { .milliseconds(100) ... .milliseconds(500) } else { .milliseconds(250) ... .seconds(5) }
    return HighlightsAPI(transport: transport, pollingPauses: pauses) { try await self.endpoint(refused: $0) }
  }

  /// Whether the local backend runs in this process, so that its URLs stop working when the process ends.
  package var isEmbedded: Bool {
    get async {
      guard case .local(let host) = target else { return false }
      return await host.isEmbedded
    }
  }

  /// The current URL and token. They can change between requests: another process may have stopped the server, and
  /// tokens expire.
  /// - Parameter refused: the endpoint whose token was rejected.
  package func endpoint(refused: BackendEndpoint? = nil) async throws -> BackendEndpoint {
    switch target {
    case .local(let host):
      let address = try await host.address()
      return .local(baseURL: address.baseURL.absoluteString, token: address.ownerToken)
    case .supabase(let project):
      do {
        return try await project.endpoint(refused: refused)
      } catch let error as AuthError where error.requiresSignIn {
        guard let signIn else { throw error }
        try await signIn.signIn(project, missing: error)
        return try await project.endpoint(refused: nil)
      }
    // Mux has its own API.
    case .mux: throw ShareEngineError(.backendUnsupported, ["backend": kind.rawValue])
    }
  }

  /// The URLs of a highlight.
  package func links(to highlight: Highlight) async throws -> HighlightLinks {
    let id = highlight.id.uuidString.lowercased()
    let video = highlight.muxPlaybackID
    switch target {
    case .local:
      let endpoint = try await endpoint()
      return HighlightLinks(
        watch: "bsc serve --open \(id)", page: endpoint.resolve("/h/\(id)"),
        video: endpoint.resolve(video.contains("://") ? video : "/stream/\(video).mp4"),
        videos: highlight.videoURLs.map { $0.map { endpoint.resolve(Self.localFile($0)) } },
        thumbnail: highlight.thumbnailURL.map(endpoint.resolve))
    case .supabase, .mux:
      // A local server that replaces a project uses relative URLs.
      let thumbnail = highlight.thumbnailURL.flatMap { $0.contains("://") ? $0 : nil }
      return HighlightLinks(
        watch: playback.page(video) ?? playback.video(video), page: playback.page(video), video: playback.video(video),
        videos: highlight.videoURLs.map { $0.map(playback.video) },
        thumbnail: thumbnail ?? playback.thumbnail(video), animated: playback.animated(video))
    }
  }

  /// The URL of a highlight for a browser on this machine. With the local backend, opening it signs the owner in.
  /// - Returns: `nil` if the URL would stop working when this process ends.
  package func browserAddress(of highlight: Highlight) async throws -> String? {
    guard case .local(let host) = target else { return try await links(to: highlight).watch }
    let address = try await host.address()
    guard await !host.isEmbedded else { return nil }
    return address.ownerSignInURL("/h/\(highlight.id.uuidString.lowercased())").absoluteString
  }

  /// The file of the clip instead of its HLS playlist.
  private static func localFile(_ video: String) -> String {
    video.hasPrefix("/stream/") && video.hasSuffix(".m3u8") ? "\(video.dropLast(".m3u8".count)).mp4" : video
  }

  /// The absolute form of an upload URL.
  package func resolve(_ reference: String) async throws -> String {
    if reference.hasPrefix("https://") || reference.hasPrefix("http://") { return reference }
    return try await endpoint().resolve(reference)
  }

  /// The user whose highlights are listed; `nil` lists the highlights of all users.
  package var author: UUID? {
    get async throws {
      guard case .supabase(let project) = target else { return nil }
      return try await project.signIn.userID()
    }
  }

  /// The URLs of a highlight's files for download: its clips in order, and its poster.
  func downloads(
    of highlight: Highlight
  ) async throws -> (videos: [HighlightExport.Address], poster: HighlightExport.Address?) {
    let links = try await links(to: highlight)
    guard case .local = target else {
      let videos = highlight.videoURLs ?? [highlight.muxPlaybackID]
      return (videos.map { .init(url: playback.file($0)) }, links.thumbnail.map { .init(url: $0) })
    }
    let endpoint = try await endpoint()
    // The owner's token must not be sent to other servers.
    func address(_ url: String) -> HighlightExport.Address {
      .init(url: url, headers: url.hasPrefix(endpoint.functionsURL + "/") ? endpoint.headers : [:])
    }
    return ((links.videos ?? [links.video]).map(address), links.thumbnail.map(address))
  }

  /// Stops the server if this process started it.
  package func close() async {
    if case .local(let host) = target { await host.close() }
  }
}
