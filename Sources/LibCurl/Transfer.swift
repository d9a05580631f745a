import CCurl
import Foundation

/// One request on its way: the easy handle, the body going out and the answer coming in.
///
/// Lives on the transfer thread. libcurl's callbacks get it as an unretained pointer; the thread holds it until its
/// handle has left the multi handle, so it outlives every callback.
final class Transfer {
  let handle: EasyHandle
  let job: TransferJob
  private let host: String
  private var bodyOffset: Int64 = 0
  private var reportedByteCount: Int64 = 0
  private var head = ResponseHead()
  private var body: [UInt8] = []
  private var isTooLong = false
  private var readFailure: (any Error)?
  /// When the head of the answer was complete.
  private var answeredAt: ContinuousClock.Instant?

  init(_ job: TransferJob, options: TransferOptions) throws(CurlError) {
    self.job = job
    host = URLComponents(string: job.request.url)?.host ?? ""
    handle = try EasyHandle()
    try configure(options)
  }

  /// What libcurl's verdict means for the caller.
  func result(_ code: CURLcode) -> Result<HTTPResponse, any Error> {
    if let readFailure { return .failure(readFailure) }
    if job.isCancelled { return .failure(CancellationError()) }
    // A server may answer before it has read the body and then close the connection. libcurl reports that sending
    // failed, yet the answer is here and says why.
    if code == CURLE_OK || head.isComplete {
      let unsent = (job.request.body.byteCount ?? 0) - sentByteCount
      return .success(
        HTTPResponse(
          status: head.status, headers: head.headers, body: body, isBodyTruncated: isTooLong || code != CURLE_OK,
          unsentByteCount: max(unsent, 0)))
    }
    return .failure(failure(code))
  }

  /// Bytes of the body that have left; what was read from it may still lie in a buffer. libcurl forgets the count when
  /// it thinks of sending all again.
  private var sentByteCount: Int64 { max(handle.byteCount(CURLINFO_SIZE_UPLOAD_T), reportedByteCount) }

  private func failure(_ code: CURLcode) -> CurlError {
    let error = handle.error(code, host: host)
    let isKept = handle.count(CURLINFO_NUM_CONNECTS) == 0
    let proxyStatus = handle.count(CURLINFO_HTTP_CONNECTCODE)
    let status =
      switch code {
      case CURLE_COULDNT_RESOLVE_PROXY where error.message.hasPrefix("Unsupported proxy"): CURLE_PROXY
      case CURLE_COULDNT_CONNECT where error.message.hasPrefix("Unsupported proxy"): CURLE_PROXY
      // It answered, and it will not: asking again would not help. 5xx may pass.
      case CURLE_RECV_ERROR where (400..<500).contains(proxyStatus): CURLE_PROXY
      // The URL's scheme is one of ours, so it is the answer that is no HTTP.
      case CURLE_UNSUPPORTED_PROTOCOL where Self.isHTTP(job.request.url): CURLE_RECV_ERROR
      default: code
      }
    // A kept-alive connection that dies under a request: libcurl would send it all again on its own, but the caller has
    // to ask first what arrived. It cannot, for want of a seek callback, and complains about that.
    if code == CURLE_SEND_FAIL_REWIND {
      return CurlError(
        code: .sendFailed, host: host, message: "the connection broke off", brokeKeptConnection: true,
        sentByteCount: sentByteCount)
    }
    let hasBroken = [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING].contains(code)
    return CurlError(
      code: .init(status), host: host, message: error.message, brokeKeptConnection: isKept && hasBroken,
      sentByteCount: sentByteCount)
  }

  private static func isHTTP(_ url: String) -> Bool {
    let scheme = url.prefix(while: { $0 != ":" }).lowercased()
    return scheme == "http" || scheme == "https"
  }

  private func configure(_ options: TransferOptions) throws(CurlError) {
    let request = job.request
    let context = Unmanaged.passUnretained(self).toOpaque()
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_URL, request.url)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    // What a proxy answers to CONNECT is not the server's answer.
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if !request.mayReuseConnection {
      try handle.set(CURLOPT_FRESH_CONNECT, 1)
      try handle.set(CURLOPT_FORBID_REUSE, 1)
    }
    // Whoever is told to stop does not wait for a name server.
    try handle.set(CURLOPT_QUICK_EXIT, 1)
    try setVersion(options)
    try handle.set(CURLOPT_USERAGENT, options.userAgent)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.wholeMilliseconds)
    try handle.set(CURLOPT_LOW_SPEED_LIMIT, max(1, options.lowestBytesPerSecond))
    try handle.set(CURLOPT_LOW_SPEED_TIME, max(1, options.stallWindow.wholeMilliseconds / 1000))
    if let file = options.authorityFile { try handle.set(CURLOPT_CAINFO, file) }
    // Proxies come from the environment, as libcurl reads it; one for this machine itself would be nobody's wish.
    if Self.isLoopback(host) { try handle.set(CURLOPT_NOPROXY, "*") }
    switch options.addresses {
    case .any: break
    case .ipv4: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .ipv6: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    }
    // `Expect: 100-continue` would cost a round trip per chunk; `Expect:` takes libcurl's default away.
    try handle.setHeaders(
      request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } + ["Expect:"])
    try setBody(request, options, context: context)

    try handle.set(CURLOPT_HEADERDATA, context: context)
    try handle.set(CURLOPT_HEADERFUNCTION, headerCallback)
    try handle.set(CURLOPT_WRITEDATA, context: context)
    try handle.set(CURLOPT_WRITEFUNCTION, writeCallback)
    try handle.set(CURLOPT_NOPROGRESS, 0)
    try handle.set(CURLOPT_XFERINFODATA, context: context)
    try handle.setProgress(progressCallback)
  }

  /// HTTP/2 gives each stream a window, often 64 KiB: one upload over it sends a window each round trip, where
  /// HTTP/1.1 fills the link. Short requests share a connection better in HTTP/2.
  private func setVersion(_ options: TransferOptions) throws(CurlError) {
    switch options.version {
    case .http1: try handle.set(CURLOPT_HTTP_VERSION, bsc_CURL_HTTP_VERSION_1_1)
    case .automatic where job.request.isOfUpload: try handle.set(CURLOPT_HTTP_VERSION, bsc_CURL_HTTP_VERSION_1_1)
    case .automatic, .http2: try handle.set(CURLOPT_HTTP_VERSION, bsc_CURL_HTTP_VERSION_2TLS)
    }
  }

  /// As the system reads it: `127.1` and `0x7f000001` are this machine too, `127.example.org` is not.
  static func isLoopback(_ host: String) -> Bool {
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || name == "[::1]" { return true }
    var address = in_addr()
    return inet_aton(name, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  /// Whether it sends bytes that a limit is for.
  var isUpload: Bool { (job.request.body.byteCount ?? 0) > 0 }

  /// - Parameter bytesPerSecond: `nil` takes the limit away. May be called while the transfer runs.
  func limit(to bytesPerSecond: Int?) {
    try? handle.set(CURLOPT_MAX_SEND_SPEED_LARGE, offset: Int64(bytesPerSecond ?? 0))
  }

  private func setBody(
    _ request: HTTPRequest, _ options: TransferOptions, context: UnsafeMutableRawPointer
  ) throws(CurlError) {
    if let byteCount = request.body.byteCount {
      try handle.set(CURLOPT_UPLOAD, 1)
      try handle.set(CURLOPT_INFILESIZE_LARGE, offset: byteCount)
      try handle.set(CURLOPT_READDATA, context: context)
      try handle.set(CURLOPT_READFUNCTION, readCallback)
      // The biggest buffer libcurl takes: fewer callbacks and system calls per byte. A limit is kept from buffer to
      // buffer, so a slow one wants a small one: 16 KiB is the least.
      let limit = options.highestBytesPerSecond ?? .max
      try handle.set(CURLOPT_UPLOAD_BUFFERSIZE, min(max(limit / 4, 16 << 10), 2 << 20))
    } else if request.method == .head {
      try handle.set(CURLOPT_NOBODY, 1)
    } else {
      try handle.set(CURLOPT_HTTPGET, 1)
    }
    try handle.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
  }
}

// MARK: What the callbacks do

extension Transfer {
  fileprivate func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = Int(min(Int64(buffer.count), (job.request.body.byteCount ?? 0) - bodyOffset))
    guard wanted > 0 else { return 0 }
    do {
      let window = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      let count = try job.request.body.read(into: window, at: bodyOffset)
      guard count > 0, count <= wanted else { throw EndOfBody() }
      bodyOffset += Int64(count)
      return count
    } catch {
      readFailure = error
      return bsc_CURL_READFUNC_ABORT
    }
  }

  fileprivate func takeHeaderLine(_ bytes: UnsafeRawBufferPointer) {
    head.take(line: String(decoding: bytes, as: UTF8.self))
    if head.isComplete { answeredAt = answeredAt ?? .now }
  }

  /// False when the answer is longer than the request allows: libcurl then ends the transfer.
  fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = job.request.maximumAnswerByteCount - body.count
    body.append(contentsOf: bytes.prefix(max(0, room)))
    isTooLong = bytes.count > room
    return !isTooLong
  }

  /// False when the transfer is to end.
  fileprivate func report(sentByteCount: Int64) -> Bool {
    if sentByteCount != reportedByteCount {
      reportedByteCount = sentByteCount
      job.progress(sentByteCount)
    }
    if let patience = job.request.answerPatience, let answeredAt, ContinuousClock.now - answeredAt > patience {
      return false
    }
    return !job.isCancelled
  }
}

/// A body's reader gave nothing although bytes were still promised.
struct EndOfBody: Error {}

extension HTTPBody {
  /// `nil` without a body.
  fileprivate var byteCount: Int64? {
    switch self {
    case .none: nil
    case .data(let bytes): Int64(bytes.count)
    case .stream(let stream): stream.byteCount
    }
  }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    switch self {
    case .none: return 0
    case .data(let bytes):
      buffer.copyBytes(from: bytes[Int(offset)...].prefix(buffer.count))
      return min(buffer.count, bytes.count - Int(offset))
    case .stream(let stream): return try stream.read(buffer, offset)
    }
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}

// MARK: C callbacks

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private let readCallback: bsc_curl_data_callback = { bytes, size, count, context in
  guard let transfer = transfer(context), let bytes else { return bsc_CURL_READFUNC_ABORT }
  return transfer.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

private let headerCallback: bsc_curl_data_callback = { bytes, size, count, context in
  guard let transfer = transfer(context), let bytes else { return 0 }
  transfer.takeHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

private let writeCallback: bsc_curl_data_callback = { bytes, size, count, context in
  guard let transfer = transfer(context), let bytes else { return 0 }
  return transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private let progressCallback: bsc_curl_progress_callback = { context, _, _, _, sent in
  guard let transfer = transfer(context) else { return 1 }
  return transfer.report(sentByteCount: Int64(sent)) ? 0 : 1
}
