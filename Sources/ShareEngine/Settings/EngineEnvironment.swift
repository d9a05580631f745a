import ClipModel
package import Foundation
package import LibCurl
package import Upload

/// The folders and settings of a run, and the services that only the program can provide.
package struct EngineEnvironment: Sendable {
  package var places: Places
  package var configuration: Configuration
  /// Environment variables of the process.
  package var variables: [String: String]
  /// Finds or starts the local backend.
  package var localBackend: @Sendable (Places, Configuration) -> any LocalBackendHost
  /// Wraps the transport of all requests, for example to log them.
  package var wrapTransport: @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
  /// Receives notes that don't belong to a job.
  package var notice: @Sendable (String) -> Void = { _ in }

  package init(
    places: Places, configuration: Configuration, variables: [String: String],
    localBackend: @escaping @Sendable (Places, Configuration) -> any LocalBackendHost
  ) {
    self.places = places
    self.configuration = configuration
    self.variables = variables
    self.localBackend = localBackend
  }

  /// Creates the transport for all requests of a command.
  /// - Throws: `CurlError` when libcurl cannot be started.
  package func transport() throws -> any HTTPTransport {
    wrapTransport(try TransferThread(options: configuration.transferOptions))
  }
}

/// The local backend. The engine does not link against it, because it can run in this process or in a different one.
package protocol LocalBackendHost: Sendable {
  /// The current URL. If no other process runs the backend, it is started in this process.
  func address() async throws -> LocalBackendAddress
  /// Whether the backend runs in this process, so that its URLs become invalid when the process ends.
  var isEmbedded: Bool { get async }
  /// Stops the backend if this process started it.
  func close() async
}

/// The URL of the local backend and the credentials of its owner.
package struct LocalBackendAddress: Sendable {
  package var baseURL: URL
  /// The owner's token, which is secret.
  package var ownerToken: String
  /// Returns a single-use URL that opens a path as the owner.
  package var ownerSignInURL: @Sendable (_ path: String) -> URL

  package init(baseURL: URL, ownerToken: String, ownerSignInURL: @escaping @Sendable (_ path: String) -> URL) {
    (self.baseURL, self.ownerToken, self.ownerSignInURL) = (baseURL, ownerToken, ownerSignInURL)
  }
}

extension Configuration {
  package var transferOptions: TransferOptions {
    let limit = uploadBytesPerSecond.value
    var options = TransferOptions(
      stallWindow: .seconds(stallSeconds.value),
      maximumBytesPerSecond: limit > 0 ? Int(clamping: limit) : nil, authorityFile: authorityFile.value)
    options.addresses = addresses.value
    options.version = httpVersion.value
    return options
  }

  /// Unless the user has set the chunk size, it adapts to the connection.
  package var chunkLayout: ChunkLayout {
    ChunkLayout(
      chunkByteCount: uploadChunkByteCount.value, isFixed: uploadChunkByteCount.origin != .byDefault)
  }
}
