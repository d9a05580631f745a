import CCurl
public import ClipModel

/// A transfer that libcurl could not carry out. It contains only the host, because the rest of a URL can be a secret.
public struct CurlError: ExplainedError, Equatable {
  /// A `CURLcode` value.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ code: CURLcode) { rawValue = UInt32(code.rawValue) }
  }

  /// The kind of failure.
  public let code: Code
  /// The host of the request; empty if the URL has no host.
  public let host: String
  /// libcurl's message: `Failed to connect to 127.0.0.1 port 1: Connection refused`.
  public let message: String
  /// The transfer failed on a connection that an earlier request had opened. The server may have just closed it.
  public let failedOnReusedConnection: Bool
  /// The sent bytes of the request's body.
  public let sentByteCount: Int64

  public init(
    code: Code, host: String, message: String, failedOnReusedConnection: Bool = false, sentByteCount: Int64 = 0
  ) {
    (self.code, self.host, self.message) = (code, host, message)
    (self.failedOnReusedConnection, self.sentByteCount) = (failedOnReusedConnection, sentByteCount)
  }

  static let setupFailed = CurlError(code: .outOfMemory, host: "", message: "libcurl could not be initialized")

  /// The same transfer may succeed later: the network failed, not the request or the setup.
  public var isTemporary: Bool { !Self.permanentCodes.contains(code) }

  public var explanation: Explanation {
    Explanation(
      id: Self.ids[code] ?? "network.failed", what: host.isEmpty ? "cannot reach the server" : "cannot reach \(host)",
      why: message, facts: host.isEmpty ? [:] : ["host": host], category: .remote)
  }

  private static let ids: [Code: String] = [
    .certificateRefused: "network.certificate-refused", .stalled: "network.stalled",
    .proxyRefused: "network.proxy-refused",
  ]

  private static let permanentCodes: Set<Code> = [
    .unsupportedProtocol, .malformedURL, .certificateRefused, .proxyRefused, Code(CURLE_SSL_CACERT_BADFILE),
    .outOfMemory, Code(CURLE_BAD_FUNCTION_ARGUMENT), Code(CURLE_UNKNOWN_OPTION), Code(CURLE_NOT_BUILT_IN), .badResponse,
  ]
}

extension CurlError.Code {
  /// The URL is neither `http` nor `https`.
  public static let unsupportedProtocol = Self(CURLE_UNSUPPORTED_PROTOCOL)
  /// The URL is invalid.
  public static let malformedURL = Self(CURLE_URL_MALFORMAT)
  /// The host's address is unknown.
  public static let unknownHost = Self(CURLE_COULDNT_RESOLVE_HOST)
  /// The connection was refused.
  public static let connectionRefused = Self(CURLE_COULDNT_CONNECT)
  /// The transfer was slower than allowed for the whole stall window, or no connection was made in time.
  public static let stalled = Self(CURLE_OPERATION_TIMEDOUT)
  /// The server's certificate is not trusted.
  public static let certificateRefused = Self(CURLE_PEER_FAILED_VERIFICATION)
  /// The proxy refused the connection, or its address is invalid.
  public static let proxyRefused = Self(CURLE_PROXY)
  /// The connection broke while the request was sent.
  public static let sendFailed = Self(CURLE_SEND_ERROR)
  /// The response was incomplete or longer than the request allows.
  public static let badResponse = Self(CURLE_WRITE_ERROR)
  /// libcurl could not be initialized.
  public static let outOfMemory = Self(CURLE_OUT_OF_MEMORY)
}
