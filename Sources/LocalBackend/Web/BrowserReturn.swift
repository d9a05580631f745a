import Hummingbird
import Logging

/// Waits on a port of this machine for a browser that comes back from a sign-in.
package final class BrowserReturn: Sendable {
  /// What it brought: `code`, or `error` and `error_description`.
  package typealias Answer = [String: String]

  /// `http://127.0.0.1:PORT/callback`
  package let redirectURL: String
  private let listener: Listener
  private let answers: AsyncStream<Answer>

  /// - Throws: `LocalBackendError` when no port can be opened.
  package init() async throws {
    let (answers, sink) = AsyncStream<Answer>.makeStream()
    let router = Router(context: BackendContext.self)
    router.add(middleware: RequestGuard())
    router.get("callback") { request, _ in
      let pairs = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
      let answer = Answer(pairs) { first, _ in first }
      guard answer["code"] != nil || answer["error"] != nil else {
        throw BackendFailure(.badRequest, "invalid_request", "there is no code")
      }
      sink.yield(answer)
      return Self.page(answer["code"] == nil ? "That did not work. The terminal says why." : "You are signed in.")
    }
    self.answers = answers
    listener = try await Listener.start(
      router: router, port: .any, idleSeconds: 120,
      logger: Logger(label: "bsc.sign-in", factory: { _ in SwiftLogNoOpLogHandler() }))
    redirectURL = "http://127.0.0.1:\(listener.port)/callback"
  }

  /// The first answer; `nil` when the task is cancelled.
  package func answer() async -> Answer? {
    for await answer in answers { return answer }
    return nil
  }

  package func stop() async { await listener.stop() }

  private static func page(_ text: String) -> Response {
    let html = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>bsc</title>\
      <body><p>\(text) You may close this page.</p></body></html>
      """
    return .text(html.utf8, "text/html; charset=utf-8")
  }
}
