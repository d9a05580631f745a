import Hummingbird
import Logging

/// Listens on a local port for the browser's redirect at the end of a sign-in.
package final class SignInCallbackListener: Sendable {
  /// The query parameters of the redirect: either `code`, or `error` and `error_description`.
  package typealias CallbackParameters = [String: String]

  /// The redirect URL, which is `http://127.0.0.1:PORT/callback`.
  package let redirectURL: String
  private let listener: Listener
  private let answers: AsyncStream<CallbackParameters>

  /// Starts listening on any free port.
  /// - Throws: `LocalBackendError` if no port can be opened.
  package init() async throws {
    let (answers, continuation) = AsyncStream<CallbackParameters>.makeStream()
    let router = Router(context: BackendContext.self)
    router.add(middleware: RequestGuard())
    router.get("callback") { request, _ in
      let pairs = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
      let parameters = CallbackParameters(pairs) { first, _ in first }
      guard parameters["code"] != nil || parameters["error"] != nil else {
        throw BackendFailure(.badRequest, "invalid_request", "the callback URL contains no code")
      }
      continuation.yield(parameters)
      let text = parameters["code"] == nil ? "Sign-in failed. See the terminal for details." : "You are signed in."
      let html = """
        <!doctype html><html lang="en"><meta charset="utf-8"><title>bsc</title>\
        <body><p>\(text) You can close this page.</p></body></html>
        """
      return Response.text(html.utf8, "text/html; charset=utf-8")
    }
    self.answers = answers
    listener = try await Listener.start(
      router: router, port: .any, idleSeconds: 120,
      logger: Logger(label: "bsc.sign-in", factory: { _ in SwiftLogNoOpLogHandler() }))
    redirectURL = "http://127.0.0.1:\(listener.port)/callback"
  }

  /// Waits for the browser's first redirect. Returns `nil` if the task is canceled.
  package func waitForCallback() async -> CallbackParameters? { await answers.first { _ in true } }

  package func stop() async { await listener.stop() }
}
