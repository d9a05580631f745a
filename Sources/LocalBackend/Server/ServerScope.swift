extension LocalServer {
  /// Runs `body` with the address of the server that works on a data folder. Where none does, one runs inside of this
  /// process until `body` has ended, at any free port.
  /// - Parameters:
  ///   - dataFolder: absolute; made when missing.
  ///   - body: what needs the server; its address is good until it ends.
  /// - Throws: ``LocalBackendError`` when no server can be had, or what `body` throws.
  public static func withServer<Value>(
    in dataFolder: String, _ body: (ServerAddress) async throws -> Value
  ) async throws -> Value {
    var patience = 50
    while true {
      if let running = running(in: dataFolder) { return try await body(running) }
      let server: RunningServer
      do {
        server = try await start(
          LocalServerConfiguration(dataFolder: dataFolder, port: .any, assetMaker: .clipMedia))
      } catch LocalBackendError.folderInUse where patience > 0 {
        // Another process begins or ends its server just now: the next look finds it, or the folder free.
        patience -= 1
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
