import CCurl
import Foundation

/// A running HTTP request, with its easy handle, its body and the response received so far.
///
/// Used only on the transfer thread. libcurl's callbacks receive the transfer as an unretained pointer. The thread
/// retains the transfer until its easy handle has been removed from the multi handle, so the transfer outlives all
/// callbacks.
final class Transfer {
  let handle: EasyHandle
  let job: TransferJob
  private let host: String
  private let source: (byteCount: Int64, read: HTTPBody.Reader)?
  private var bodyOffset: Int64 = 0
  private var reportedByteCount: Int64 = 0
  private var head = ResponseHead()
  private var body: [UInt8] = []
  private var isTooLong = false
  private var readError: (any Error)?
  /// The time at which the response's headers were complete.
  private var headTime: ContinuousClock.Instant?

  init(_ job: TransferJob, options: TransferOptions) throws(CurlError) {
    self.job = job
    host = URLComponents(string: job.request.url)?.host ?? ""
    source = job.request.body.source
    handle = try EasyHandle()
    try configure(options)
  }

  /// Converts libcurl's result to the result for the caller.
  func result(_ code: CURLcode) -> Result<HTTPResponse, any Error> {
    if let readError { return .failure(readError) }
    if job.isCanceled { return .failure(CancellationError()) }
    // A server can respond and close the connection before it has read the entire body. libcurl then reports a send
    // error even though the response is complete.
    guard head.isComplete else { return .failure(makeError(code)) }
    return .success(
      HTTPResponse(
        status: head.status, headers: head.headers, body: body, isBodyTruncated: isTooLong || code != CURLE_OK,
        unsentByteCount: max(bodyByteCount - sentByteCount, 0)))
  }

  /// The number of bytes of the body that were sent, excluding bytes that are still in a buffer. libcurl resets its own
  /// count when it prepares to send the body again.
  private var sentByteCount: Int64 { max(handle.infoByteCount(CURLINFO_SIZE_UPLOAD_T), reportedByteCount) }

  private func makeError(_ code: CURLcode) -> CurlError {
    // libcurl reports success if the connection is closed within the headers.
    if code == CURLE_OK {
      return CurlError(
        code: .init(CURLE_PARTIAL_FILE), host: host, message: "the response ended within its headers",
        sentByteCount: sentByteCount)
    }
    // If a reused connection is dropped, libcurl would send the entire body again. Because no seek callback is set, the
    // transfer fails instead, so that the caller can first query how many bytes have arrived.
    if code == CURLE_SEND_FAIL_REWIND {
      return CurlError(
        code: .sendFailed, host: host, message: "the connection was closed", failedOnReusedConnection: true,
        sentByteCount: sentByteCount)
    }
    let message = handle.makeError(code, host: host).message
    // libcurl has no error code for an invalid proxy URL.
    let hasInvalidProxy = message.hasPrefix("Unsupported proxy")
    let status =
      switch code {
      case CURLE_COULDNT_RESOLVE_PROXY where hasInvalidProxy, CURLE_COULDNT_CONNECT where hasInvalidProxy: CURLE_PROXY
      // The proxy rejected the connection. Unlike after a 5xx response, retrying doesn't help.
      case CURLE_RECV_ERROR where (400..<500).contains(handle.infoValue(CURLINFO_HTTP_CONNECTCODE)): CURLE_PROXY
      // The URL's scheme is supported, so the server's response isn't HTTP.
      case CURLE_UNSUPPORTED_PROTOCOL where job.request.url.wholeMatch(of: /(?i)https?:.*/) != nil: CURLE_RECV_ERROR
      default: code
      }
    let isBroken = [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING].contains(code)
    return CurlError(
      code: .init(status), host: host, message: message,
      failedOnReusedConnection: isBroken && handle.infoValue(CURLINFO_NUM_CONNECTS) == 0, sentByteCount: sentByteCount)
  }

  /// Returns whether a host is a loopback address. Parses the host in the same way as the system: `127.1` and
  /// `0x7f000001` are loopback addresses, but `127.example.org` isn't.
  static func isLoopback(_ host: String) -> Bool {
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || name == "[::1]" { return true }
    var address = in_addr()
    return inet_aton(name, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  private var bodyByteCount: Int64 { source?.byteCount ?? 0 }

  /// Whether this transfer has a body to upload, so that the speed limit applies.
  var isUpload: Bool { bodyByteCount > 0 }

  /// Sets the speed limit for sending. Can be called during the transfer.
  func setSpeedLimit(bytesPerSecond: Int) {
    try? handle.set(CURLOPT_MAX_SEND_SPEED_LARGE, offset: Int64(bytesPerSecond))
  }
}

// MARK: Options

extension Transfer {
  private func configure(_ options: TransferOptions) throws(CurlError) {
    let request = job.request
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_URL, request.url)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    // Suppress the proxy's response to CONNECT, which isn't the server's response.
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if !request.reusesConnection {
      try handle.set(CURLOPT_FRESH_CONNECT, 1)
      try handle.set(CURLOPT_FORBID_REUSE, 1)
    }
    // Don't wait for the name lookup when a transfer is canceled.
    try handle.set(CURLOPT_QUICK_EXIT, 1)
    // HTTP/2 limits each stream to a flow-control window, often 64 KiB per round trip, which is slow for long bodies.
    let usesHTTP1 = options.version == .http1 || (options.version == .automatic && request.isUploadChunk)
    try handle.set(CURLOPT_HTTP_VERSION, usesHTTP1 ? bsc_CURL_HTTP_VERSION_1_1 : bsc_CURL_HTTP_VERSION_2TLS)
    try handle.set(CURLOPT_USERAGENT, options.userAgent)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(options.connectTimeout / .milliseconds(1)))
    try handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
    try handle.set(CURLOPT_LOW_SPEED_TIME, max(1, Int(options.stallWindow / .seconds(1))))
    if let file = options.authorityFile { try handle.set(CURLOPT_CAINFO, file) }
    // libcurl reads proxy settings from the environment. Requests to this machine don't use a proxy.
    if Self.isLoopback(host) { try handle.set(CURLOPT_NOPROXY, "*") }
    switch options.addresses {
    case .any: break
    case .ipv4: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .ipv6: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    }
    // `Expect:` removes libcurl's `Expect: 100-continue`, which would require an additional round trip per chunk.
    try handle.setHeaders(
      request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } + ["Expect:"])

    let context = Unmanaged.passUnretained(self).toOpaque()
    if let source {
      try handle.set(CURLOPT_UPLOAD, 1)
      try handle.set(CURLOPT_INFILESIZE_LARGE, offset: source.byteCount)
      try handle.set(CURLOPT_READDATA, context: context)
      try handle.set(CURLOPT_READFUNCTION, readCallback)
      // libcurl's largest buffer requires the fewest callbacks. libcurl applies the speed limit after each buffer, so a
      // low limit requires a small buffer.
      let limit = options.maximumBytesPerSecond ?? .max
      try handle.set(CURLOPT_UPLOAD_BUFFERSIZE, min(max(limit / 4, 16 << 10), 2 << 20))
    } else {
      try handle.set(CURLOPT_HTTPGET, 1)
    }
    try handle.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    try handle.set(CURLOPT_HEADERDATA, context: context)
    try handle.set(CURLOPT_HEADERFUNCTION, headerCallback)
    try handle.set(CURLOPT_WRITEDATA, context: context)
    try handle.set(CURLOPT_WRITEFUNCTION, writeCallback)
    try handle.set(CURLOPT_NOPROGRESS, 0)
    try handle.set(CURLOPT_XFERINFODATA, context: context)
    try handle.setProgressCallback(progressCallback)
  }
}

// MARK: Callbacks

extension Transfer {
  fileprivate func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let length = Int(min(Int64(buffer.count), bodyByteCount - bodyOffset))
    guard let source, length > 0 else { return 0 }
    do {
      let count = try source.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]), bodyOffset)
      guard count > 0, count <= length else { throw EndOfBody() }
      bodyOffset += Int64(count)
      return count
    } catch {
      readError = error
      return bsc_CURL_READFUNC_ABORT
    }
  }

  fileprivate func appendHeader(_ bytes: UnsafeRawBufferPointer) {
    head.append(line: String(decoding: bytes, as: UTF8.self))
    if head.isComplete { headTime = headTime ?? .now }
  }

  /// Appends received bytes to the body.
  /// - Returns: `false` if the response is longer than the request allows, which ends the transfer.
  fileprivate func appendBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let freeCount = job.request.maximumResponseByteCount - body.count
    body.append(contentsOf: bytes.prefix(max(0, freeCount)))
    isTooLong = bytes.count > freeCount
    return !isTooLong
  }

  /// Reports the progress of the transfer.
  /// - Returns: `false` to end the transfer.
  fileprivate func report(sentByteCount: Int64) -> Bool {
    if sentByteCount != reportedByteCount {
      reportedByteCount = sentByteCount
      job.progress(sentByteCount)
    }
    if let timeout = job.request.responseTimeout, let headTime, ContinuousClock.now - headTime > timeout {
      return false
    }
    return !job.isCanceled
  }
}

/// The error for a body reader that returned no bytes before the end of the body.
struct EndOfBody: Error {}

extension HTTPBody {
  /// The body's size and reader, or `nil` if the request has no body.
  fileprivate var source: (byteCount: Int64, read: Reader)? {
    switch self {
    case .none: nil
    case .data(let bytes):
      (
        Int64(bytes.count),
        { buffer, offset in
          let part = bytes[Int(offset)...].prefix(buffer.count)
          buffer.copyBytes(from: part)
          return part.count
        }
      )
    case .stream(let byteCount, let read): (byteCount, read)
    }
  }
}

private func unwrapTransfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private let readCallback: bsc_curl_data_callback = { bytes, size, count, context in
  guard let transfer = unwrapTransfer(context), let bytes else { return bsc_CURL_READFUNC_ABORT }
  return transfer.readBody(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

private let headerCallback: bsc_curl_data_callback = { bytes, size, count, context in
  guard let transfer = unwrapTransfer(context), let bytes else { return 0 }
  transfer.appendHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

private let writeCallback: bsc_curl_data_callback = { bytes, size, count, context in
  guard let transfer = unwrapTransfer(context), let bytes else { return 0 }
  return transfer.appendBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private let progressCallback: bsc_curl_progress_callback = { context, _, _, _, sent in
  guard let transfer = unwrapTransfer(context) else { return 1 }
  return transfer.report(sentByteCount: Int64(sent)) ? 0 : 1
}
