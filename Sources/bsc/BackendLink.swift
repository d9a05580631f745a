import ClipModel
import Foundation
import Highlights
import LibCurl
import LocalBackend
import ShareEngine

/// The way to the configured backend. The local one is started inside this process when none is running.
actor BackendLink {
  private enum Way {
    /// In this folder, at this port if it is free.
    case local(folder: String, port: Int)
    case supabase(SupabaseProject)
  }

  let name: String
  private let way: Way
  private var server: RunningServer?

  init(_ surroundings: Surroundings, transport: any HTTPTransport) throws {
    let kind = surroundings.configuration.backend.value
    name = kind.rawValue
    switch kind {
    case .local:
      way = .local(
        folder: surroundings.places.localBackendFolder, port: surroundings.configuration.localPort.value)
    case .supabase: way = .supabase(try SupabaseProject(surroundings, transport: transport))
    case .mux: throw BackendUnavailable(kind: kind)
    }
  }

  /// The server ends with this process: its addresses are good for nobody afterwards.
  var isEmbedded: Bool { server != nil }

  /// Where the backend is now. Asked before each request: a server that another process ran may have gone with it, and
  /// tokens end.
  /// - Parameter refused: the endpoint whose token was refused.
  func endpoint(refused: BackendEndpoint? = nil) async throws -> BackendEndpoint {
    switch way {
    case .local(let folder, let port):
      let base = try await localURL(folder, port).absoluteString
      return BackendEndpoint(functionsURL: base, restURL: base + "/rest/v1")
    case .supabase(let project): return try await project.endpoint(refused: refused)
    }
  }

  /// The absolute form of an upload URL; those of other hosts need nobody's leave.
  func resolve(_ reference: String) async throws -> String {
    if reference.hasPrefix("https://") || reference.hasPrefix("http://") { return reference }
    return try await endpoint().resolve(reference)
  }

  private func localURL(_ folder: String, _ port: Int) async throws -> URL {
    if let server { return server.baseURL }
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
    throw BackendUnavailable(kind: .local)
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
        what: "cannot use the backend \(kind.rawValue)", why: "this version of bsc cannot use it yet",
        next: "set backend = \"local\" (bsc config show tells where it was set)", category: .notConfigured)
    }
  }
}
