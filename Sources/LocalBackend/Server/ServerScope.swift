extension LocalServer {
  /// Runs `body` with the address of the server that uses a data folder. If no server is running, starts one in this
  /// process on any free port and stops it after `body` has finished.
  /// - Parameters:
  ///   - dataFolder: the absolute path of the data folder, which is created if it is missing.
  ///   - body: the work that uses the server. The address is valid until `body` returns.
  /// - Throws: ``LocalBackendError`` if no server can be used or started, and any error that `body` throws.
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
        // Another process is starting or stopping its server. The next attempt finds either that server or an unlocked
        // folder.
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
