import NIOCore
import NIOHTTP1
import Synchronization

/// A small HTTP server with scripted answers. It records its requests.
public final class FaultAPIServer: Sendable {
  public struct Request: Equatable, Sendable {
    public var method: String
    /// The path and query, as sent.
    public var target: String
    /// With lowercase names.
    public var headers: [String: String]
    public var body: String
  }

  public enum Answer: Sendable {
    case json(Int, String, headers: [String: String] = [:])
    /// Resets the connection.
    case reset
    /// Sends nothing, and keeps the connection open.
    case silence
  }

  private let listener: FaultListener
  private let requestLog: RequestLog

  /// - Parameter answer: called for each request, with its zero-based number.
  public init(_ answer: @escaping @Sendable (Int, Request) -> Answer) async throws {
    let log = RequestLog()
    requestLog = log
    listener = try await FaultListener { Handler(log: log, answer: answer) }
  }

  /// Returns the answers in order, and repeats the last one.
  public convenience init(answers: [Answer]) async throws {
    try await self.init { number, _ in answers[min(number, answers.count - 1)] }
  }

  public var port: Int { listener.port }

  public var url: String { "http://127.0.0.1:\(port)" }

  public var requests: [Request] { requestLog.all }

  final class RequestLog: Sendable {
    private let requests = Mutex([Request]())

    var all: [Request] { requests.withLock { $0 } }

    /// Returns the request's number.
    func add(_ request: Request) -> Int {
      requests.withLock {
        $0.append(request)
        return $0.count - 1
      }
    }
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: RequestLog
    private let answer: @Sendable (Int, Request) -> Answer
    private var current: Request?

    init(log: RequestLog, answer: @escaping @Sendable (Int, Request) -> Answer) {
      self.log = log
      self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        current = Request(method: head.method.rawValue, target: head.uri, headers: headers, body: "")
      case .body(let buffer): current?.body += String(buffer: buffer)
      case .end:
        guard let request = current else { return }
        switch answer(log.add(request), request) {
        case .json(let status, let body, let headers):
          context.answer(FaultAnswer(status: status, headers: headers, body: body), keepsAlive: true)
        case .reset: context.reset()
        case .silence: break
        }
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
