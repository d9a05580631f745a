import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes connections so that clients can read the last response.
///
/// A response is often sent before the request's body has arrived, for example because the server rejects the request.
/// Closing the socket at that moment resets the connection, and the client can lose the response. Keeping the socket
/// open without reading blocks a client that sends the complete body first. After the response, this handler closes its
/// own side of the connection and discards incoming bytes (RFC 9112, 9.6). It closes the connection when the client
/// closes its side or exceeds a limit.
final class LingeringClose: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  struct Limits: Sendable {
    /// The maximum number of missing body bytes that the handler still reads to keep the connection open.
    var keepAliveByteCount: Int64 = 1 << 20
    /// The maximum number of discarded bytes before the connection is closed.
    var discardedByteCount: Int64 = 1 << 30
    /// The maximum time without an incoming byte before the connection is closed.
    var silence: TimeAmount = .seconds(5)
  }

  /// A request that has no response yet, or whose body is incomplete.
  private struct PendingRequest {
    var closesConnection: Bool
    var awaitsContinue: Bool
    /// The number of declared body bytes that haven't arrived; `nil` if the length is unknown.
    var missingByteCount: Int64?
    var isComplete = false
    var isAnswered = false
  }

  private let limits: Limits
  private var pending: [PendingRequest] = []
  private var closesAfterResponse = false
  private var isInputClosed = false
  private var isLingering = false
  private var discardedByteCount: Int64 = 0
  private var lastRead = NIODeadline.now()
  private var watch: Scheduled<Void>?

  init(limits: Limits) { self.limits = limits }

  func handlerRemoved(context: ChannelHandlerContext) { watch?.cancel() }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if isLingering { return discard(part, context) }
    switch part {
    case .head(let head):
      // Requests after the last request on a connection get no response.
      if pending.last?.closesConnection == true || closesAfterResponse { return }
      pending.append(
        PendingRequest(
          closesConnection: head.headerFields.requestsClose, awaitsContinue: head.expectsContinue,
          missingByteCount: head.headerFields.contentByteCount))
    case .body(let bytes):
      guard let request = pending.last, !request.isComplete else { return }
      pending[pending.count - 1].missingByteCount = request.missingByteCount.map { $0 - Int64(bytes.readableBytes) }
    case .end:
      guard let request = pending.last, !request.isComplete else { return }
      if request.isAnswered { pending.removeLast() } else { pending[pending.count - 1].isComplete = true }
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // While lingering, the last handler in the pipeline doesn't request reads.
    if isLingering { context.read() }
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent {
      isInputClosed = true
      if isLingering { return context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: Responses

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.kind == .informational:
      if !pending.isEmpty { pending[0].awaitsContinue = false }
      context.write(data, promise: promise)
    case .head(var head):
      closesAfterResponse = head.headerFields.requestsClose || pending.first.map(isLastRequest) ?? false
      if closesAfterResponse { head.headerFields[.connection] = "close" }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      if pending.first?.isComplete == true {
        pending.removeFirst()
      } else if !pending.isEmpty {
        pending[0].isAnswered = true
      }
      guard closesAfterResponse else { return context.write(data, promise: promise) }
      let written = promise ?? context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenComplete { _ in self.linger(context) }
      context.write(data, promise: written)
    }
  }

  private func isLastRequest(_ request: PendingRequest) -> Bool {
    if request.closesConnection { return true }
    if request.isComplete { return false }
    // If the server hasn't sent `100 Continue`, the client may omit the body.
    guard !request.awaitsContinue, let missing = request.missingByteCount else { return true }
    return missing > limits.keepAliveByteCount
  }

  // MARK: Closing

  private func linger(_ context: ChannelHandlerContext) {
    guard !isLingering, context.channel.isActive else { return }
    guard !isInputClosed else { return context.close(promise: nil) }
    isLingering = true
    lastRead = .now()
    context.close(mode: .output, promise: nil)
    closeIfIdle(context)
    context.read()
  }

  private func discard(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    lastRead = .now()
    if case .body(let bytes) = part { discardedByteCount += Int64(bytes.readableBytes) }
    if discardedByteCount > limits.discardedByteCount { context.close(promise: nil) }
  }

  private func closeIfIdle(_ context: ChannelHandlerContext) {
    watch = context.eventLoop.assumeIsolated().scheduleTask(deadline: lastRead + limits.silence) {
      if .now() >= self.lastRead + self.limits.silence {
        context.close(promise: nil)
      } else {
        self.closeIfIdle(context)
      }
    }
  }
}

@available(*, unavailable)
extension LingeringClose: Sendable {}

extension HTTPFields {
  /// Whether the `Connection` header contains `close`.
  fileprivate var requestsClose: Bool {
    self[values: .connection].contains { value in
      value.split(separator: ",").contains { $0.filter { !$0.isWhitespace }.lowercased() == "close" }
    }
  }
}
