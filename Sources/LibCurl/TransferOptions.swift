/// Options for HTTP transfers, such as timeouts, limits and trusted certificate authorities.
public struct TransferOptions: Equatable, Sendable {
  /// The maximum time for the name lookup, the connection and the TLS handshake together.
  public var connectTimeout: Duration
  /// The time after which a transfer fails if no bytes are sent or received, in whole seconds and at least one. The
  /// total time has no limit. Google's client libraries use 60 s.
  public var stallWindow: Duration
  /// The maximum upload rate of all transfers together, in bytes per second. `nil` means no limit.
  public var maximumBytesPerSecond: Int?
  /// The kinds of IP addresses to connect to.
  public var addresses = Addresses.any
  /// The path of a PEM file with certificate authorities that replace the system's certificate authorities.
  public var authorityFile: String?
  /// The HTTP version to use.
  public var version = Version.automatic
  /// The value of the `User-Agent` header.
  public var userAgent = "bsc"

  /// An HTTP version to use. The raw values are the values in the settings.
  public enum Version: String, Sendable, CaseIterable {
    /// HTTP/1.1 for upload chunks, and otherwise HTTP/2 if the server supports it.
    case automatic = "auto"
    /// HTTP/1.1.
    case http1 = "1.1"
    /// HTTP/2 over TLS if the server supports it.
    case http2 = "2"
  }

  /// The kinds of IP addresses to connect to. The raw values are the values in the settings.
  public enum Addresses: String, Sendable, CaseIterable {
    /// Whichever address responds first, IPv4 or IPv6.
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
