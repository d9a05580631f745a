import ClipModel
import LocalBackend
import ShareEngine

/// The local backend: another process runs it, or it is started inside this one.
actor EmbeddedBackend: LocalBackendHost {
  private let folder: String
  /// Used when it is free.
  private let port: Int
  private var server: RunningServer?

  init(folder: String, port: Int) { (self.folder, self.port) = (folder, port) }

  var isEmbedded: Bool { server != nil }

  func address() async throws -> LocalBackendAddress {
    let address = try await serverAddress()
    return LocalBackendAddress(
      baseURL: address.baseURL, ownerToken: address.ownerToken, entrance: { address.entrance(to: $0) })
  }

  private func serverAddress() async throws -> ServerAddress {
    if let server { return server.address }
    // Between two looks another process can start or end its server: try again for a moment.
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
    throw BackendUnavailable(kind: .local)
  }

  func close() async {
    await server?.stop()
    server = nil
  }
}
