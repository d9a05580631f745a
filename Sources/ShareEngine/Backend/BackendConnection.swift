package import ClipModel
package import Foundation
package import Highlights
package import LibCurl

/// The connection to the configured backend. The local one is started inside this process when none is running.
package actor BackendConnection {
  private enum Target {
    case local(any LocalBackendHost)
    case supabase(SupabaseProject)
    case mux(MuxBackend)
  }

  package nonisolated let name: String
  /// What the pipeline asks; over this link, where the address may change.
  private let transport: any HTTPTransport
  private let playback: PlaybackURLs
  private let signIn: LazySignIn?
  private let target: Target

  /// - Parameters:
  ///   - signIn: what to do where nobody is signed in; without it that is told.
  ///   - notice: told once that the backend cannot be asked now, and is asked again.
  package init(
    _ environment: EngineEnvironment, transport: any HTTPTransport, signIn: LazySignIn? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.signIn = signIn
    let configuration = environment.configuration
    let kind = configuration.backend.value
    name = kind.rawValue
    // The one on this machine is started again where it went away.
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
      target = .mux(
        MuxBackend(
          url: configuration.muxURL.value, token: try Self.muxToken(configuration), playback: playback,
          videoQuality: configuration.muxVideoQuality.value == .account
            ? nil : configuration.muxVideoQuality.value.rawValue,
          transport: transport))
    }
  }

  private static func muxToken(_ configuration: Configuration) throws -> MuxBackend.Token {
    guard let id = configuration.muxTokenID.value, let secret = configuration.muxTokenSecret.value else {
      let missing = [
        configuration.muxTokenID.value == nil ? "BSC_MUX_TOKEN_ID" : nil,
        configuration.muxTokenSecret.value == nil ? "BSC_MUX_TOKEN_SECRET" : nil,
      ].compactMap(\.self)
      throw ShareEngineError(
        .muxNotSet, ["settings": missing.joined(separator: " and ") + (missing.count == 1 ? " is" : " are")])
    }
    return MuxBackend.Token(id: id.revealed, secret: secret.revealed)
  }

  /// What the pipeline talks to.
  package nonisolated var backend: any HighlightBackend {
    if case .mux(let backend) = target { return backend }
    // On this machine a question costs nothing, and the clip is there in a moment.
    let pauses: ClosedRange<Duration> =
      if case .local = target { .milliseconds(100) ... .milliseconds(500) } else { .milliseconds(250) ... .seconds(5) }
    return HighlightsAPI(transport: transport, pollingPauses: pauses) { try await self.endpoint(refused: $0) }
  }

  /// The server ends with this process: its addresses are good for nobody afterwards.
  package var isEmbedded: Bool {
    get async {
      guard case .local(let host) = target else { return false }
      return await host.isEmbedded
    }
  }

  /// Where the backend is now. Asked before each request: a server that another process ran may have gone with it, and
  /// tokens end.
  /// - Parameter refused: the endpoint whose token was refused.
  package func endpoint(refused: BackendEndpoint? = nil) async throws -> BackendEndpoint {
    switch target {
    case .local(let host):
      let address = try await host.address()
      let base = address.baseURL.absoluteString
      return BackendEndpoint(
        functionsURL: base, restURL: base + "/rest/v1", headers: ["Authorization": "Bearer \(address.ownerToken)"])
    case .supabase(let project):
      do {
        return try await project.endpoint(refused: refused)
      } catch let error as AuthError where error.requiresSignIn {
        guard let signIn else { throw error }
        try await signIn.signIn(project, missing: error)
        return try await project.endpoint(refused: nil)
      }
    // Its API is its own, and so are its addresses.
    case .mux: throw BackendUnavailable(kind: .mux)
    }
  }

  /// Where people see a highlight.
  package func links(to highlight: Highlight) async throws -> HighlightLinks {
    let id = highlight.id.uuidString.lowercased()
    let video = highlight.muxPlaybackID
    switch target {
    case .local:
      let endpoint = try await endpoint()
      return HighlightLinks(
        watch: "bsc serve --open \(id)", page: endpoint.resolve("/h/\(id)"),
        video: endpoint.resolve(video.contains("://") ? video : "/stream/\(video).mp4"),
        videos: highlight.videoURLs.map { $0.map { endpoint.resolve(Self.file(ofLocal: $0)) } },
        thumbnail: highlight.thumbnailURL.map(endpoint.resolve))
    case .supabase, .mux:
      return HighlightLinks(
        watch: playback.page(video) ?? playback.video(video), page: playback.page(video), video: playback.video(video),
        videos: highlight.videoURLs.map { $0.map(playback.video) },
        // A local server that stands in for the project writes addresses without its port.
        thumbnail: highlight.thumbnailURL.flatMap { $0.contains("://") ? $0 : nil } ?? playback.thumbnail(video),
        animated: playback.animated(video))
    }
  }

  /// What a browser on this machine shows; as the owner's where it is ours.
  /// - Returns: `nil` where the address would be gone with this process.
  package func browserAddress(of highlight: Highlight) async throws -> String? {
    guard case .local(let host) = target else { return try await links(to: highlight).watch }
    let address = try await host.address()
    guard await !host.isEmbedded else { return nil }
    return address.entrance("/h/\(highlight.id.uuidString.lowercased())").absoluteString
  }

  /// The whole clip in place of the list of its pieces, where the local backend has it.
  private static func file(ofLocal video: String) -> String {
    video.hasPrefix("/stream/") && video.hasSuffix(".m3u8") ? "\(video.dropLast(".m3u8".count)).mp4" : video
  }

  /// The absolute form of an upload URL; those of other hosts need nobody's leave.
  package func resolve(_ reference: String) async throws -> String {
    if reference.hasPrefix("https://") || reference.hasPrefix("http://") { return reference }
    return try await endpoint().resolve(reference)
  }

  /// Whose highlights are one's own; `nil` where all of them are.
  package var author: UUID? {
    get async throws {
      guard case .supabase(let project) = target else { return nil }
      return try await project.signIn.userID()
    }
  }

  /// Where a highlight's clips, in order, and its poster can be fetched as files.
  package func source(
    of highlight: Highlight
  ) async throws -> (videos: [HighlightExport.Address], poster: HighlightExport.Address?) {
    let links = try await links(to: highlight)
    guard case .local = target else {
      let videos = highlight.videoURLs ?? [highlight.muxPlaybackID]
      return (videos.map { .init(url: playback.file($0)) }, links.thumbnail.map { .init(url: $0) })
    }
    let endpoint = try await endpoint()
    // Nobody else's server is told who asks.
    func address(_ url: String) -> HighlightExport.Address {
      .init(url: url, headers: url.hasPrefix(endpoint.functionsURL + "/") ? endpoint.headers : [:])
    }
    return ((links.videos ?? [links.video]).map(address), links.thumbnail.map(address))
  }

  /// Ends the server that this process started, if it did.
  package func close() async {
    if case .local(let host) = target { await host.close() }
  }
}

/// The configured backend cannot be used.
package struct BackendUnavailable: ExplainedError {
  package var kind: BackendKind

  package init(kind: BackendKind) { self.kind = kind }

  package var explanation: Explanation {
    switch kind {
    case .local:
      Explanation(.backendSilent)
    case .supabase, .mux:
      Explanation(.backendUnsupported, ["backend": kind.rawValue])
    }
  }
}
