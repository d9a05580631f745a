import ClipModel
package import Foundation
package import LibCurl
package import Upload

/// The folders and settings of a run, and what only the program can provide.
package struct EngineEnvironment: Sendable {
  package var places: Places
  package var configuration: Configuration
  /// Environment variables of the process.
  package var variables: [String: String]
  /// Finds or starts the local backend.
  package var localBackend: @Sendable (Places, Configuration) -> any LocalBackendHost
  /// Wraps what all requests go through, for instance to log them.
  package var wrapTransport: @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
  /// Receives notes that belong to no job.
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

  /// The transport of all requests of a command.
  /// - Throws: `CurlError` when libcurl cannot be started.
  package func transport() throws -> any HTTPTransport {
    wrapTransport(try TransferThread(options: configuration.transferOptions))
  }
}

/// The local backend, which the engine does not link: it can run in another process, or in this one.
package protocol LocalBackendHost: Sendable {
  /// The address now. Starts the backend in this process when no other process runs it.
  func address() async throws -> LocalBackendAddress
  /// This process runs it: its addresses end with the process.
  var isEmbedded: Bool { get async }
  /// Stops the backend that this process started, if it did.
  func close() async
}

/// Where the local backend is, and how its owner is recognized.
package struct LocalBackendAddress: Sendable {
  package var baseURL: URL
  /// A secret.
  package var ownerToken: String
  /// An address that opens a path as the owner, once.
  package var entrance: @Sendable (_ path: String) -> URL

  package init(baseURL: URL, ownerToken: String, entrance: @escaping @Sendable (_ path: String) -> URL) {
    (self.baseURL, self.ownerToken, self.entrance) = (baseURL, ownerToken, entrance)
  }
}

extension Configuration {
  package var transferOptions: TransferOptions {
    let limit = uploadBytesPerSecond.value
    var options = TransferOptions(
      stallWindow: .seconds(stallSeconds.value),
      highestBytesPerSecond: limit > 0 ? Int(clamping: limit) : nil, authorityFile: authorityFile.value)
    options.addresses = addresses.value
    options.version = httpVersion.value
    return options
  }

  /// Chunks adapt to the link unless their size was set.
  package var chunkLayout: ChunkLayout {
    ChunkLayout(
      chunkByteCount: uploadChunkByteCount.value, isFixed: uploadChunkByteCount.origin != .byDefault)
  }
}
