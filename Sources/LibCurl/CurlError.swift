import CCurl
public import ClipModel

/// A transfer that libcurl could not carry out. It names the host only: the rest of a URL may be a secret.
public struct CurlError: ExplainedError, Equatable {
  /// One of libcurl's `CURLcode` values.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ code: CURLcode) { rawValue = UInt32(code.rawValue) }
  }

  /// What went wrong.
  public let code: Code
  /// The host that was asked; empty when the URL names none.
  public let host: String
  /// libcurl's own words: `Failed to connect to 127.0.0.1 port 1: Connection refused`.
  public let message: String
  /// It broke on a connection that an earlier request had left open: perhaps the server had just closed it.
  public let brokeKeptConnection: Bool
  /// Bytes of the request's body that had left.
  public let sentByteCount: Int64

  public init(
    code: Code, host: String, message: String, brokeKeptConnection: Bool = false, sentByteCount: Int64 = 0
  ) {
    self.sentByteCount = sentByteCount
    self.code = code
    self.host = host
    self.message = message
    self.brokeKeptConnection = brokeKeptConnection
  }

  /// Whether the same transfer may succeed later: the network, not the request or the set-up, is to blame.
  public var isTemporary: Bool { !Self.permanentCodes.contains(code) }

  public var explanation: Explanation {
    let id =
      switch code {
      case .certificateRefused: "network.certificate-refused"
      case .stalled: "network.stalled"
      case .proxyRefused: "network.proxy-refused"
      default: "network.failed"
      }
    return Explanation(
      id: id, what: host.isEmpty ? "cannot reach the server" : "cannot reach \(host)", why: message,
      facts: host.isEmpty ? [:] : ["host": host], category: .remote)
  }

  private static let permanentCodes: Set<Code> = [
    .unsupportedProtocol, .malformedURL, .certificateRefused, .proxyRefused, Code(CURLE_SSL_CACERT_BADFILE),
    .outOfMemory,
    Code(CURLE_BAD_FUNCTION_ARGUMENT), Code(CURLE_UNKNOWN_OPTION), Code(CURLE_NOT_BUILT_IN), .badResponse,
  ]
}

extension CurlError.Code {
  /// The URL is neither `http` nor `https`.
  public static let unsupportedProtocol = Self(CURLE_UNSUPPORTED_PROTOCOL)
  /// The URL cannot be read.
  public static let malformedURL = Self(CURLE_URL_MALFORMAT)
  /// Nobody knows an address of the host.
  public static let unknownHost = Self(CURLE_COULDNT_RESOLVE_HOST)
  /// No connection could be made.
  public static let connectionRefused = Self(CURLE_COULDNT_CONNECT)
  /// Fewer bytes per second than allowed, for the whole window; or no connection in time.
  public static let stalled = Self(CURLE_OPERATION_TIMEDOUT)
  /// The server's certificate is not one to trust.
  public static let certificateRefused = Self(CURLE_PEER_FAILED_VERIFICATION)
  /// The proxy does not let us through, or its address makes no sense.
  public static let proxyRefused = Self(CURLE_PROXY)
  /// The connection broke while the request went out.
  public static let sendFailed = Self(CURLE_SEND_ERROR)
  /// The connection broke while the answer came in.
  public static let receiveFailed = Self(CURLE_RECV_ERROR)
  /// The server closed the connection without a word.
  public static let noAnswer = Self(CURLE_GOT_NOTHING)
  /// The answer broke off or was longer than the request allows.
  public static let badResponse = Self(CURLE_WRITE_ERROR)
  /// libcurl could not be set up.
  public static let outOfMemory = Self(CURLE_OUT_OF_MEMORY)
}
