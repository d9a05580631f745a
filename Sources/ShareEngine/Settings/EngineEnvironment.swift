package import ClipModel
package import Foundation
package import LibCurl
package import Upload

/// The folders and settings for a run, and the services that the command-line program provides.
package struct EngineEnvironment: Sendable {
  package var places: ApplicationFolders
  package var configuration: Configuration
  /// The environment variables of the process.
  package var variables: [String: String]
  /// A closure that finds or starts the local backend.
  package var localBackend: @Sendable (ApplicationFolders, Configuration) -> any LocalBackendHost
  /// A closure that wraps the transport for all requests, for example to log requests.
  package var wrapTransport: @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
  /// A closure that receives notes that don't concern a specific job.
  package var notice: @Sendable (String) -> Void = { _ in }

  package init(
    places: ApplicationFolders, configuration: Configuration, variables: [String: String],
    localBackend: @escaping @Sendable (ApplicationFolders, Configuration) -> any LocalBackendHost
  ) {
    self.places = places
    self.configuration = configuration
    self.variables = variables
    self.localBackend = localBackend
  }

  /// Returns the conditions of an upload to the backend.
  package func uploadConditions(isPost: Bool = false) async throws -> UploadConditions {
    try await UnknownSizeRefusals(places: places, host: configuration.backendHost)
      .uploadConditions(configuration.uploadStreaming.value, isPost: isPost)
  }

  /// Creates the transport for all requests of a command.
  /// - Throws: `CurlError` if libcurl cannot be initialized.
  package func transport() throws -> any HTTPTransport {
    wrapTransport(try TransferThread(options: configuration.transferOptions))
  }
}

/// A host for the local backend. The engine doesn't link against the backend, because the backend can run in this
/// process or in a different process.
package protocol LocalBackendHost: Sendable {
  /// Returns the backend's current URL and credentials. If no other process is running the backend, starts the backend
  /// in this process.
  func address() async throws -> LocalBackendAddress
  /// Whether the backend runs in this process. If it does, its URLs become invalid when the process exits.
  var isEmbedded: Bool { get async }
  /// Stops the backend if this process started it.
  func close() async
}

/// The local backend's URL and its owner's credentials.
package struct LocalBackendAddress: Sendable {
  package var baseURL: URL
  /// The owner's access token, which must be kept secret.
  package var ownerToken: String
  /// A closure that returns a single-use URL, which opens a path as the owner.
  package var ownerSignInURL: @Sendable (_ path: String) -> URL
  /// The public URL that the server was started with.
  package var publicURL: URL?

  package init(
    baseURL: URL, ownerToken: String, publicURL: URL? = nil, ownerSignInURL: @escaping @Sendable (_ path: String) -> URL
  ) {
    (self.baseURL, self.ownerToken, self.ownerSignInURL) = (baseURL, ownerToken, ownerSignInURL)
    self.publicURL = publicURL
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

  /// The chunk sizes for uploads. If the user has not set a chunk size, the size adapts to the connection.
  package var chunkLayout: ChunkLayout {
    ChunkLayout(
      chunkByteCount: uploadChunkByteCount.value, isFixed: uploadChunkByteCount.origin != .byDefault)
  }
}
