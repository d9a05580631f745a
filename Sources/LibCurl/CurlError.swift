import CCurl
public import ClipModel

/// An error from a failed libcurl transfer. It contains only the host of the URL, because the remainder of a URL can be
/// secret.
public struct CurlError: ExplainedError, Equatable {
  /// An error code from libcurl (`CURLcode`).
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ code: CURLcode) { rawValue = UInt32(code.rawValue) }
  }

  /// The kind of failure.
  public let code: Code
  /// The host of the request, which is empty if the URL has no host.
  public let host: String
  /// libcurl's error message, for example `Failed to connect to 127.0.0.1 port 1: Connection refused`.
  public let message: String
  /// Whether the transfer failed on a connection that an earlier request had opened. The server may have just closed
  /// that connection.
  public let failedOnReusedConnection: Bool
  /// The number of bytes of the request's body that were sent.
  public let sentByteCount: Int64

  public init(
    code: Code, host: String, message: String, failedOnReusedConnection: Bool = false, sentByteCount: Int64 = 0
  ) {
    (self.code, self.host, self.message) = (code, host, message)
    (self.failedOnReusedConnection, self.sentByteCount) = (failedOnReusedConnection, sentByteCount)
  }

  /// Creates the error for a missing libcurl.
  init(missingLibrary reason: String) { self.init(code: .libraryMissing, host: "", message: reason) }

  static let setupFailed = CurlError(code: .outOfMemory, host: "", message: "libcurl could not be initialized")

  /// Whether the same transfer may succeed later, because the cause was the network and not the request or the setup.
  public var isTemporary: Bool { !Self.permanentCodes.contains(code) }

  public var explanation: Explanation {
    if code == .libraryMissing {
      return Explanation(
        id: "error.library-missing", what: "cannot load libcurl", why: message, facts: ["library": "libcurl"],
        category: .notConfigured)
    }
    return Explanation(
      id: Self.ids[code] ?? "network.failed", what: host.isEmpty ? "cannot reach the server" : "cannot reach \(host)",
      why: message, facts: host.isEmpty ? [:] : ["host": host], category: .remote)
  }

  private static let ids: [Code: String] = [
    .certificateRefused: "network.certificate-refused", .stalled: "network.stalled",
    .proxyRefused: "network.proxy-refused",
  ]

  private static let permanentCodes: Set<Code> = [
    .unsupportedProtocol, .malformedURL, .certificateRefused, .proxyRefused, Code(CURLE_SSL_CACERT_BADFILE),
    .outOfMemory, .libraryMissing, .badResponse, Code(CURLE_BAD_FUNCTION_ARGUMENT), Code(CURLE_UNKNOWN_OPTION),
    Code(CURLE_NOT_BUILT_IN),
  ]
}

extension CurlError.Code {
  /// The URL's scheme is neither `http` nor `https`.
  public static let unsupportedProtocol = Self(CURLE_UNSUPPORTED_PROTOCOL)
  /// The URL is invalid.
  public static let malformedURL = Self(CURLE_URL_MALFORMAT)
  /// The address of the host is unknown.
  public static let unknownHost = Self(CURLE_COULDNT_RESOLVE_HOST)
  /// No connection to the host could be established.
  public static let connectionRefused = Self(CURLE_COULDNT_CONNECT)
  /// The transfer stalled for the entire stall window, or no connection was established in time.
  public static let stalled = Self(CURLE_OPERATION_TIMEDOUT)
  /// The server's certificate is not trusted.
  public static let certificateRefused = Self(CURLE_PEER_FAILED_VERIFICATION)
  /// The proxy rejected the connection, or the proxy's address is invalid.
  public static let proxyRefused = Self(CURLE_PROXY)
  /// The connection was dropped while the request was being sent.
  public static let sendFailed = Self(CURLE_SEND_ERROR)
  /// The response was incomplete, or longer than the request allows.
  public static let badResponse = Self(CURLE_WRITE_ERROR)
  /// libcurl could not be loaded.
  public static let libraryMissing = Self(CURLE_FAILED_INIT)
  /// libcurl could not be initialized.
  public static let outOfMemory = Self(CURLE_OUT_OF_MEMORY)
}
