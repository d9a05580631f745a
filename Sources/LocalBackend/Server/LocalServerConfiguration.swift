public import Foundation
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

  /// An address that other machines can reach.
  public struct OpenAddress: Sendable, Equatable {
    /// A name or number of this machine; `0.0.0.0` and `::` are all of them.
    public var host: String
    /// A secret.
    public var token: String

    public init(host: String, token: String) {
      self.host = host
      self.token = token
    }

    /// Where this machine itself finds the server.
    var localHost: String {
      switch host {
      case "0.0.0.0": "127.0.0.1"
      case "::": "[::1]"
      case _ where host.contains(":"): "[\(host)]"
      default: host
      }
    }
  }

  /// A bucket of requests that fills up again.
  public struct RateLimit: Sendable, Equatable {
    /// Requests that a full bucket holds.
    public var capacity: Int
    /// Requests by which it fills up again.
    public var perSecond: Double

    public init(capacity: Int, perSecond: Double) {
      self.capacity = capacity
      self.perSecond = perSecond
    }
  }

  /// 7437, the documented port of `bsc serve`.
  public static let defaultPort = 7437

  /// Path of the folder that holds the database, the uploads and the assets; made when missing.
  public var dataFolder: String
  /// Where it listens.
  public var port: Port
  /// The address to listen on, and the token that every request needs unless it is loopback's; `nil`: 127.0.0.1.
  public var openTo: OpenAddress?
  /// Inspects a clip and draws its thumbnail.
  public var assetMaker: AssetMaker
  /// Uploads can be opened as in Google Cloud Storage, for clients that put the chunk endpoint to the test.
  public var opensSessions = false
  /// URLs of this machine that get the events of uploads and assets in Mux's form; see `WebhookAddress`.
  public var webhooks: [URL] = []
  /// Signs them; `nil` for the one in `keys.json`.
  public var webhookSecret: String?
  /// What is on its way from this machine, for `/uploads`: oldest first; `nil`: there is no such page. It is asked again and
  /// again while somebody looks.
  package var uploads: (@Sendable () async throws -> [QueuedUpload])?
  /// Reports of batches, for `/batches`.
  package var reports: [ServedReport] = []
  /// Of Mux's API, for requests that make something. Mux itself is far stricter; by default nothing waits here.
  public var muxPostLimit = RateLimit(capacity: 1000, perSecond: 1000)
  /// The same for all other requests.
  public var muxRequestLimit = RateLimit(capacity: 5000, perSecond: 5000)
  /// Silent unless given. Never gets a token or an upload URL.
  public var logger: Logger

  /// The cost of passwords; tests take a small one.
  public var passwordRounds = LocalServerConfiguration.defaultPasswordRounds
  /// 32 MiB and some 100 ms: N of scrypt with r = 8 and p = 3, as OWASP advises.
  public static let defaultPasswordRounds = 1 << 15

  /// The parts of the server.
  var modules = ServerModule.all
  /// Bytes that one upload may have: far above any rally, below what would surprise a disk.
  var maximumUploadBytes: Int64 = 16 << 30
  /// How long a second request of an upload waits for the running one before it is sent away.
  var turnPatience: Duration = .seconds(2)
  /// Seconds without a byte after which a connection is closed.
  var idleTimeoutSeconds: Int64 = 120
  /// How a connection ends whose request was answered before its body arrived.
  var lingering = LingeringClose.Limits()
  /// Seconds before an event that did not arrive is sent again; the pauses grow from here.
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
