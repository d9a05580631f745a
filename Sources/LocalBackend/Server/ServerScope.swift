extension LocalServer {
  /// Runs `body` with the address of the server that uses a data folder. If none is running, starts one in this process
  /// on any free port and stops it when `body` has ended.
  /// - Parameters:
  ///   - dataFolder: an absolute path. The folder is created if it is missing.
  ///   - body: uses the server. The address is valid until `body` ends.
  /// - Throws: ``LocalBackendError`` if no server can be used or started, and the errors of `body`.
  public static func withServer<Value>(
    in dataFolder: String, _ body: (ServerAddress) async throws -> Value
  ) async throws -> Value {
    var remainingAttempts = 50
    while true {
      if let running = running(in: dataFolder) { return try await body(running) }
      let server: RunningServer
      do {
        server = try await start(
          LocalServerConfiguration(dataFolder: dataFolder, port: .any, assetMaker: .clipMedia))
      } catch LocalBackendError.folderInUse where remainingAttempts > 0 {
        // Another process is starting or stopping its server. The next attempt will find that server, or a free folder.
        remainingAttempts -= 1
        try await Task.sleep(for: .milliseconds(100))
        continue
      }
      do {
        let value = try await body(server.address)
        await server.stop()
        return value
      } catch {
        await server.stop()
        throw error
      }
    }
  }
}
