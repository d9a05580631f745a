import ClipModel
import Foundation
import Highlights
import LibCurl
import LocalBackend
import ShareEngine

/// The way to the configured backend. The local one is started inside this process when none is running.
actor BackendLink {
  private let kind: BackendKind
  private let places: Places
  private let port: Int
  private var server: RunningServer?

  init(_ surroundings: Surroundings) throws {
    kind = surroundings.configuration.backend.value
    places = surroundings.places
    port = surroundings.configuration.localPort.value
    guard kind == .local else {
      throw BackendUnavailable(kind: kind)
    }
  }

  var name: String { kind.rawValue }

  /// Where the backend is now. Asked before each request: a server that another process ran may have gone with it.
  func endpoint() async throws -> BackendEndpoint {
    let base = try await localURL().absoluteString
    return BackendEndpoint(functionsURL: base, restURL: base + "/rest/v1")
  }

  private func localURL() async throws -> URL {
    if let server { return server.baseURL }
    let folder = places.localBackendFolder
    // Between two looks another process may start or end its server: try again for a moment.
    for _ in 0..<50 {
      if let url = LocalServer.running(in: folder) { return url }
      do {
        let started = try await LocalServer.start(
          LocalServerConfiguration(dataFolder: folder, port: .preferably(port), assetMaker: .clipMedia))
        server = started
        return started.baseURL
      } catch let error as LocalBackendError where error.explanation.category == .locked {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    throw BackendUnavailable(kind: kind)
  }

  /// Ends the server that this process started, if it did.
  func close() async {
    await server?.stop()
    server = nil
  }
}

/// The configured backend cannot be used.
struct BackendUnavailable: ExplainedError {
  var kind: BackendKind

  var explanation: Explanation {
    switch kind {
    case .local:
      Explanation(
        what: "cannot reach the local backend", why: "a server holds its folder and does not answer",
        next: "stop the other bsc, then run \"bsc resume\"", category: .remote)
    case .supabase, .mux:
      Explanation(
        what: "cannot use the backend \(kind.rawValue)", why: "this version of bsc has only the local backend",
        next: "set backend = \"local\" (bsc config show tells where it was set)", category: .notConfigured)
    }
  }
}
