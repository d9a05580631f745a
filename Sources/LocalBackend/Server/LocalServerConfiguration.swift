public import Foundation
public import Logging

/// The settings of the local backend: its data folder, where it listens, and how it creates assets.
public struct LocalServerConfiguration: Sendable {
  /// The port to listen on.
  public enum Port: Sendable, Equatable {
    /// Exactly this port. If it is in use, that is an error.
    case exactly(Int)
    /// This port, or any free port if it is in use.
    case preferably(Int)
    /// Any free port.
    case any
  }

  /// An address that other machines can reach.
  public struct OpenAddress: Sendable, Equatable {
    /// A host name or IP address of this machine; `0.0.0.0` and `::` stand for all of them.
    public var host: String
    /// The token, which is a secret.
    public var token: String

    public init(host: String, token: String) {
      self.host = host
      self.token = token
    }

    /// The host by which this machine reaches the server.
    var localHost: String {
      switch host {
      case "0.0.0.0": "127.0.0.1"
      case "::": "[::1]"
      case _ where host.contains(":"): "[\(host)]"
      default: host
      }
    }
  }

  /// The settings of a token bucket.
  struct RateLimit: Sendable, Equatable {
    /// The number of requests in a full bucket.
    var capacity: Int
    /// The number of requests that are added each second.
    var perSecond: Double
  }

  /// 7437, the documented port of `bsc serve`.
  public static let defaultPort = 7437

  /// The path of the folder with the database, the uploads and the assets. It is created if it is missing.
  public var dataFolder: String
  /// The port to listen on.
  public var port: Port
  /// The address to listen on, with the token that every request needs; `nil` for 127.0.0.1 without a token.
  public var openTo: OpenAddress?
  /// The functions that inspect a clip and render its thumbnail.
  public var assetMaker: AssetMaker
  /// Whether uploads can also be opened as in Google Cloud Storage, to test the chunk endpoint with other clients.
  public var opensSessions = false
  /// URLs on this machine that receive upload and asset events in Mux's format; see `WebhookAddress`.
  public var webhooks: [URL] = []
  /// The signing key of the webhooks; `nil` for the one in `keys.json`.
  public var webhookSecret: String?
  /// Returns the uploads in progress on this machine for `/uploads`, oldest first; called repeatedly while the page is
  /// open. `nil` if the server has no such page.
  package var uploads: (@Sendable () async throws -> [QueuedUpload])?
  /// Batch reports for `/batches`.
  package var reports: [ServedReport] = []
  /// The logger. The default discards all messages. No token or upload URL is ever logged.
  public var logger: Logger

  /// The cost of password hashes; tests use a lower one.
  public var passwordRounds = LocalServerConfiguration.defaultPasswordRounds
  /// N of scrypt with r = 8 and p = 3, as OWASP recommends: 32 MiB and about 100 ms for each password.
  public static let defaultPasswordRounds = 1 << 15

  /// The modules of the server.
  var modules = ServerModule.all
  /// The limits of Mux's API, for POST and for all other requests. Mux's real limits are much lower.
  var muxPostLimit = RateLimit(capacity: 1000, perSecond: 1000)
  var muxRequestLimit = RateLimit(capacity: 5000, perSecond: 5000)
  /// The largest upload in bytes: far more than any rally needs, but small enough to protect the disk.
  var maximumUploadBytes: Int64 = 16 << 30
  /// How long a second request for the same upload waits for the running one before it is rejected.
  var uploadQueueTimeout: Duration = .seconds(2)
  /// The number of seconds without a byte after which a connection is closed.
  var idleTimeoutSeconds: Int64 = 120
  /// How a connection ends if the response was sent before the request body arrived.
  var lingering = LingeringClose.Limits()
  /// The number of seconds before the first retry of a webhook delivery. Later pauses are longer.
  var webhookFirstPause = WebhookSchedule().firstPause
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
