import ClipModel
import LocalBackend
import ShareEngine

/// A local backend that another process is running, or that is started in this process.
actor EmbeddedBackend: LocalBackendHost {
  private let folder: String
  /// The preferred port, which is used if it is free.
  private let port: Int
  private var server: RunningServer?

  init(folder: String, port: Int) { (self.folder, self.port) = (folder, port) }

  var isEmbedded: Bool { server != nil }

  func address() async throws -> LocalBackendAddress {
    let address = try await findOrStartServer()
    return LocalBackendAddress(
      baseURL: address.baseURL, ownerToken: address.ownerToken, publicURL: address.publicURL,
      ownerSignInURL: { address.ownerSignInURL(to: $0) })
  }

  private func findOrStartServer() async throws -> ServerAddress {
    if let server { return server.address }
    // Retries for five seconds, because another process may be starting or stopping its server.
    for _ in 0..<50 {
      if let running = LocalServer.running(in: folder) { return running }
      do {
        let started = try await LocalServer.start(
          LocalServerConfiguration(dataFolder: folder, port: .preferably(port), assetMaker: .clipMedia))
        server = started
        return started.address
      } catch let error as LocalBackendError where error.explanation.category == .locked {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    throw ShareEngineError(.backendSilent)
  }

  func close() async {
    await server?.stop()
    server = nil
  }
}
