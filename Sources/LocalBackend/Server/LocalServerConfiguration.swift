public import Foundation
public import Logging

/// The settings of the local backend, such as its data folder, its address and how it creates assets.
public struct LocalServerConfiguration: Sendable {
  /// The port to listen on.
  public enum Port: Sendable, Equatable {
    /// Exactly this port. Starting the server fails if the port is in use.
    case exactly(Int)
    /// This port if it is free, and otherwise any free port.
    case preferably(Int)
    /// Any free port.
    case any
  }

  /// A server address that other machines can reach.
  public struct ReachableAddress: Sendable, Equatable {
    /// A host name or IP address of this machine. `0.0.0.0` and `::` stand for all of its addresses.
    public var host: String
    /// The access token, which is a secret.
    public var token: String

    public init(host: String, token: String) {
      self.host = host
      self.token = token
    }

    /// The host name that this machine uses to reach the server.
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
    /// The number of requests that are added to the bucket each second.
    var perSecond: Double
  }

  /// The documented port of `bsc serve`: 7437.
  public static let defaultPort = 7437

  /// The path of the folder for the database, uploads and assets. The server creates it if it is missing.
  public var dataFolder: String
  /// The port to listen on.
  public var port: Port
  /// The address to listen on, with the token that every request needs. If `nil`, the server listens on 127.0.0.1 and
  /// requires no token.
  public var openTo: ReachableAddress?
  /// The functions that inspect clips and render their thumbnails.
  public var assetMaker: AssetMaker
  /// Whether clients can also open uploads as in Google Cloud Storage, so that other upload clients can test the chunk
  /// endpoint.
  public var opensSessions = false
  /// Whether an upload may start before its size is known. If false, the server rejects chunks without a total, as some
  /// upload hosts might.
  public var acceptsUnknownSize = true
  /// The webhook URLs on this machine that receive upload and asset events in Mux's format; see `WebhookAddress`.
  public var webhooks: [URL] = []
  /// The secret for signing webhook requests. If `nil`, the server uses the secret in `keys.json`.
  public var webhookSecret: String?
  /// Returns this machine's active uploads for the page `/uploads`, oldest first. The server calls the function
  /// repeatedly while the page is open. If `nil`, the server has no such page.
  package var uploads: (@Sendable () async throws -> [QueuedUpload])?
  /// Reads new posts of a family's coaches and schools as the owner, and returns the number of new ones. If `nil`, pages
  /// start no sync.
  package var syncPosts: (@Sendable (_ family: String) async throws -> Int)?
  /// The batch reports that the page `/batches` lists.
  package var reports: [ServedReport] = []
  /// The public URL of the pages, which a proxy forwards to this server. Links to highlights and the preview tags of pages
  /// contain it. If `nil`, pages create no links.
  public var publicURL: URL?
  /// The server's logger. The default logger discards all messages. The server never logs tokens or upload URLs.
  public var logger: Logger

  /// The cost parameter of password hashes. Tests use a lower cost.
  public var passwordRounds = LocalServerConfiguration.defaultPasswordRounds
  /// The parameter N of scrypt, with r = 8 and p = 3, as OWASP recommends. Each hash takes about 100 ms and 32 MiB.
  public static let defaultPasswordRounds = 1 << 15

  var modules = ServerModule.all
  /// The rate limits of the Mux API, for POST and for all other requests. Mux's own limits are much lower.
  var muxPostLimit = RateLimit(capacity: 1000, perSecond: 1000)
  var muxRequestLimit = RateLimit(capacity: 5000, perSecond: 5000)
  /// The maximum upload size in bytes: far more than any rally needs, but small enough to protect the disk.
  var maximumUploadBytes: Int64 = 16 << 30
  /// The time that a second request for the same upload waits for the active request before the server rejects it.
  var uploadQueueTimeout: Duration = .seconds(2)
  /// The time after which a statement that reads rows is canceled. Supabase's default for signed-in users is 8 s.
  var statementTimeout: Duration = .seconds(8)
  /// The number of seconds of inactivity after which the server closes a connection.
  var idleTimeoutSeconds: Int64 = 120
  /// The limits for closing a connection whose response was sent before the request body arrived.
  var lingering = LingeringClose.Limits()
  /// The delay in seconds before the first retry of a webhook delivery. Later delays are longer.
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
