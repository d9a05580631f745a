/// How patient transfers are, and whom they trust.
public struct TransferOptions: Equatable, Sendable {
  /// Time to look up the host, connect and shake hands.
  public var connectTimeout: Duration
  /// A transfer that moves fewer bytes per second than this during the whole `stallWindow` is given up. There is no
  /// limit on the total time: a slow link is fine as long as it moves.
  public var lowestBytesPerSecond: Int
  /// At least a second, counted in whole seconds. 60 s is the advice of Google's client libraries.
  public var stallWindow: Duration
  /// PEM file of certificate authorities to trust instead of the system's.
  public var authorityFile: String?
  public var userAgent: String

  public init(
    connectTimeout: Duration = .seconds(30), lowestBytesPerSecond: Int = 1, stallWindow: Duration = .seconds(60),
    authorityFile: String? = nil, userAgent: String = "bsc"
  ) {
    self.connectTimeout = connectTimeout
    self.lowestBytesPerSecond = lowestBytesPerSecond
    self.stallWindow = stallWindow
    self.authorityFile = authorityFile
    self.userAgent = userAgent
  }
}
