import NIOCore
import NIOHTTP1

/// One connection of the fault server.
final class FaultUploadHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let state: FaultServerState
  private var current: Exchange?
  /// The connection is closed when the next request arrives.
  private var isClosing = false

  /// The current request.
  private struct Exchange {
    var contentRange: String
    var range: FaultRange?
    var fault: Fault?
    var body: [UInt8] = []
    /// The client requested to close the connection.
    var isLast: Bool
    /// Answered, stalled or reset: further bytes are discarded.
    var hasEnded = false
  }

  init(state: FaultServerState) { self.state = state }

  func channelActive(context: ChannelHandlerContext) { state.withLock { $0.connectionCount += 1 } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): start(head, context)
    case .body(let buffer): append(buffer, context)
    case .end: end(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func start(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard !isClosing else {
      current = nil
      return context.close(promise: nil)
    }
    let text = head.headers.first(name: "Content-Range") ?? ""
    let range = FaultRange(text)
    let fault = state.withLock { $0.script.next(range) }
    current = Exchange(contentRange: text, range: range, fault: fault, isLast: !head.isKeepAlive)
    if case .earlyStatus(let status) = fault {
      current?.hasEnded = true
      log(status: status)
      context.answer(FaultAnswer(status: status), keepsAlive: false)
      context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }
    applyFault(context)
  }

  private func append(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
    guard current?.hasEnded == false else { return }
    current?.body.append(contentsOf: buffer.readableBytesView)
    applyFault(context)
  }

  private func applyFault(_ context: ChannelHandlerContext) {
    guard let exchange = current, !exchange.hasEnded else { return }
    switch exchange.fault {
    case .reset(let after, let keeping) where exchange.body.count >= after:
      current?.hasEnded = true
      if case .bytes(let first, _, _) = exchange.range {
        state.withLock { $0.store.keep(exchange.body.prefix(min(keeping, after)), at: first) }
      }
      log(status: nil)
      context.reset()
    case .stall(let after) where exchange.body.count >= after:
      current?.hasEnded = true
      log(status: nil)
      context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    default: break
    }
  }

  private func end(_ context: ChannelHandlerContext) {
    guard let exchange = current, !exchange.hasEnded else { return }
    guard let range = exchange.range else {
      log(status: 400)
      return context.answer(FaultAnswer(status: 400, body: "no Content-Range"), keepsAlive: true)
    }
    let answer = state.withLock { Self.answer(exchange.fault, range, exchange.body, store: &$0.store) }
    if exchange.fault == .loseAnswer {
      log(status: nil)
      return context.reset()
    }
    log(status: answer.status)
    switch exchange.fault {
    case .delay(let milliseconds): return answerLater(answer, milliseconds, context)
    case .trickle: return trickle(answer, context)
    default: break
    }
    let keepsAlive = exchange.fault != .closeAfter && !exchange.isLast
    context.answer(answer, keepsAlive: keepsAlive)
    if !keepsAlive { context.close(promise: nil) }
    isClosing = exchange.fault == .closeUnannounced
  }

  private func answerLater(_ answer: FaultAnswer, _ milliseconds: Int, _ context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
      bound.value.answer(answer, keepsAlive: true)
    }
  }

  private func trickle(_ answer: FaultAnswer, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
    headers.replaceOrAdd(name: "Content-Length", value: "60000")
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
    context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(50), delay: .milliseconds(50)) { task in
      guard bound.value.channel.isActive else { return task.cancel() }
      bound.value.writeAndFlush(
        NIOAny(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "x")))), promise: nil)
    }
  }

  private func log(status: Int?) {
    guard let exchange = current else { return }
    state.withLock {
      $0.requests.append(
        FaultRequest(contentRange: exchange.contentRange, bodyByteCount: exchange.body.count, status: status))
    }
  }

  private static func answer(
    _ fault: Fault?, _ range: FaultRange, _ body: [UInt8], store: inout FaultStore
  ) -> FaultAnswer {
    switch fault {
    case .status(let status, let headers, let text): return FaultAnswer(status: status, headers: headers, body: text)
    case .keepOnly(let count):
      guard case .bytes(let first, _, _) = range else { return store.incomplete }
      store.keep(body.prefix(count), at: first)
      return store.incomplete
    case .omitRange:
      var answer = store.handle(range, body: body, finishes: false)
      answer.headers["Range"] = nil
      return answer
    case .stayOpen: return store.handle(range, body: body, finishes: false)
    case .finishEarly:
      _ = store.handle(range, body: body)
      return store.finish()
    case .forget(let count):
      store.forget(count)
      return store.incomplete
    case .claim(let count): return FaultAnswer(status: 308, headers: ["Range": "bytes=0-\(count - 1)"])
    case .addHeaders(let headers):
      var answer = store.handle(range, body: body)
      answer.headers.merge(headers) { $1 }
      return answer
    case nil, .loseAnswer, .closeAfter, .closeUnannounced, .delay, .trickle, .earlyStatus, .reset, .stall:
      return store.handle(range, body: body)
    }
  }
}
