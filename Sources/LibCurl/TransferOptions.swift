/// Timeouts, limits and the trusted certificate authorities of transfers.
public struct TransferOptions: Equatable, Sendable {
  /// The longest time for the name lookup, the connection and the TLS handshake.
  public var connectTimeout: Duration
  /// A transfer fails if it sends or receives nothing for this time: at least one second, in whole seconds. The total time
  /// has no limit. Google's client libraries use 60 s.
  public var stallWindow: Duration
  /// The maximum bytes per second for all bodies together; `nil` means no limit.
  public var maximumBytesPerSecond: Int?
  /// The kinds of addresses to use.
  public var addresses = Addresses.any
  /// A PEM file of certificate authorities that replaces the system's.
  public var authorityFile: String?
  /// The HTTP version to use.
  public var version = Version.automatic
  /// The `User-Agent` header.
  public var userAgent = "bsc"

  /// An HTTP version. The raw values are those of the settings.
  public enum Version: String, Sendable, CaseIterable {
    /// HTTP/1.1 for upload chunks, otherwise HTTP/2 if the server supports it.
    case automatic = "auto"
    /// HTTP/1.1.
    case http1 = "1.1"
    /// HTTP/2 over TLS if the server supports it.
    case http2 = "2"
  }

  /// The kinds of addresses of a host. The raw values are those of the settings.
  public enum Addresses: String, Sendable, CaseIterable {
    /// The first address that responds.
    case any
    /// Only IPv4 addresses.
    case ipv4
    /// Only IPv6 addresses.
    case ipv6
  }

  public init(
    connectTimeout: Duration = .seconds(30), stallWindow: Duration = .seconds(60), maximumBytesPerSecond: Int? = nil,
    authorityFile: String? = nil
  ) {
    (self.connectTimeout, self.stallWindow) = (connectTimeout, stallWindow)
    (self.maximumBytesPerSecond, self.authorityFile) = (maximumBytesPerSecond, authorityFile)
  }
}
