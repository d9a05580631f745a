/// How patient transfers are, and whom they trust.
public struct TransferOptions: Equatable, Sendable {
  /// Time to look up the host, connect and shake hands.
  public var connectTimeout: Duration
  /// A transfer that moves fewer bytes per second than this during the whole `stallWindow` is given up. There is no
  /// limit on the total time: a slow link is fine as long as it moves.
  public var lowestBytesPerSecond: Int
  /// At least a second, counted in whole seconds. 60 s is the advice of Google's client libraries.
  public var stallWindow: Duration
  /// Bytes per second that all bodies together may send; `nil` without a limit.
  public var highestBytesPerSecond: Int?
  /// Which addresses are used.
  public var addresses = Addresses.any
  /// PEM file of certificate authorities to trust instead of the system's.
  public var authorityFile: String?
  /// Which HTTP is spoken.
  public var version = Version.automatic
  /// What the servers are told who asks.
  public var userAgent: String

  /// Which HTTP is spoken. The raw values are the words of settings.
  public enum Version: String, Sendable, CaseIterable {
    /// HTTP/1.1 for uploads, HTTP/2 for everything else where the server has it.
    case automatic = "auto"
    /// HTTP/1.1 for everything.
    case http1 = "1.1"
    /// HTTP/2 for everything, over TLS and where the server has it.
    case http2 = "2"
  }

  /// Which kind of addresses of a host is used.
  public enum Addresses: String, Sendable, CaseIterable {
    /// Whichever answers first.
    case any
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
  }

  public init(
    connectTimeout: Duration = .seconds(30), lowestBytesPerSecond: Int = 1, stallWindow: Duration = .seconds(60),
    highestBytesPerSecond: Int? = nil, authorityFile: String? = nil, userAgent: String = "bsc"
  ) {
    self.connectTimeout = connectTimeout
    self.lowestBytesPerSecond = lowestBytesPerSecond
    self.stallWindow = stallWindow
    self.highestBytesPerSecond = highestBytesPerSecond
    self.authorityFile = authorityFile
    self.userAgent = userAgent
  }
}
