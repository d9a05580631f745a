import Foundation
public import Logging

/// How to run the local backend: where its data lies, where it listens, who makes its assets.
public struct LocalServerConfiguration: Sendable {
  /// Which port to listen on, always of 127.0.0.1.
  public enum Port: Sendable, Equatable {
    /// This port or none: a taken one is an error.
    case exactly(Int)
    /// This port, or any free one when it is taken.
    case preferably(Int)
    /// Any free port.
    case any
  }

  /// 7437, the documented port of `bsc serve`.
  public static let defaultPort = 7437

  /// Path of the folder that holds the database, the uploads and the assets; made when missing.
  public var dataFolder: String
  public var port: Port
  /// Tells what a clip is and draws its thumbnail.
  public var assetMaker: AssetMaker
  /// Uploads can be opened as in Google Cloud Storage, for clients that put the chunk endpoint to the test.
  public var opensSessions = false
  /// Silent unless given. Never gets a token or an upload URL.
  public var logger: Logger

  /// Bytes that one upload may have: far above any rally, below what would surprise a disk.
  var maximumUploadBytes: Int64 = 16 << 30
  /// How long a second request of an upload waits for the running one before it is sent away.
  var turnPatience: Duration = .seconds(2)
  /// Seconds without a byte after which a connection is closed.
  var idleTimeoutSeconds: Int64 = 120
  var now: @Sendable () -> Date = { Date() }

  public init(
    dataFolder: String, port: Port = .preferably(LocalServerConfiguration.defaultPort), assetMaker: AssetMaker,
    logger: Logger = Logger(label: "bsc.local-backend", factory: { _ in SwiftLogNoOpLogHandler() })
  ) {
    self.dataFolder = dataFolder
    self.port = port
    self.assetMaker = assetMaker
    self.logger = logger
  }
}
