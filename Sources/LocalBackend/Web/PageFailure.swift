import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// An error that browsers show as a page.
struct PageFailure: Error {
  var status: HTTPResponse.Status
  var heading: String
  /// The reason for the error and the next step.
  var text: String
  var command: String?

  static let notFound = PageFailure(
    status: .notFound, heading: "Page not found",
    text: "This page may have been deleted, may be private, or may be on a different computer.")
  static let signInRequired = PageFailure(
    status: .unauthorized, heading: "Sign in first", text: "You need an account to do this.")
  static let ownerOnly = PageFailure(
    status: .forbidden, heading: "Owner access required",
    text: "Only the owner of this server can see this page. On the server's computer, run:", command: "bsc serve --open"
  )
  static let expiredForm = PageFailure(
    status: .forbidden, heading: "This page has expired",
    text:
      "Someone signed in or out in the meantime, or the browser blocks cookies. Reload the page and try again."
  )
  static let foreignForm = PageFailure(
    status: .forbidden, heading: "Request rejected", text: "This server accepts changes only from its own pages.")
  static let tooManySignIns = PageFailure(
    status: .tooManyRequests, heading: "Too many sign-ins",
    text: "Too many people are signing in or up. Go back and try again in ten seconds.")
  static let tooManyActions = PageFailure(
    status: .tooManyRequests, heading: "Too many requests",
    text: "You have commented, liked or followed too often. Wait a few minutes, then try again.")
  static let shuttingDown = PageFailure(
    status: .serviceUnavailable, heading: "The server is shutting down",
    text: "No data was lost. Start the server again with this command, then reload the page:", command: "bsc serve")
  static let serverError = PageFailure(
    status: .internalServerError, heading: "Server error. Please try again.",
    text: "The server cannot show this page. Reload it in a few seconds.")
  static let tokenRequired = PageFailure(
    status: .unauthorized, heading: "This server requires a token",
    text: "Append ?token=TOKEN to the URL. The person who runs the server can give you the token.")
}

/// Converts errors to pages for browsers. Other clients receive JSON.
struct PageErrors: BackendMiddleware {
  let site: PageSite

  private static let programPaths = [
    "/rest/", "/auth/", "/storage/", "/video/", "/functions/", "/api/", "/upload/", "/stream/", "/image/",
  ]

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    let isFromBrowser =
      request.headers[.accept]?.lowercased().contains("text/html") == true
      && !Self.programPaths.contains { request.uri.path.hasPrefix($0) }
    do {
      if isFromBrowser, Task.isShuttingDownGracefully { throw PageFailure.shuttingDown }
      return try await next(request, context)
    } catch let failure as PageFailure {
      return await page(failure, request)
    } catch let error as any HTTPResponseError where isFromBrowser {
      switch try error.response(from: request, context: context).status {
      case .notFound: return await page(.notFound, request)
      case .unauthorized: return await page(.tokenRequired, request)
      case .tooManyRequests: return await page(.tooManyActions, request)
      case .internalServerError: return await page(.serverError, request)
      default: throw error
      }
    } catch let error where isFromBrowser && !(error is CancellationError) && !StorageFailure.isDiskFull(error) {
      // Without the path, which can contain a token.
      context.logger.error("a page failed: \(error)")
      return await page(.serverError, request)
    }
  }

  private func page(_ failure: PageFailure, _ request: Request) async -> Response {
    let visitor = failure.status == .unauthorized ? nil : try? await site.visitor(of: request)
    let values: [String: Any?] = [
      "title": failure.heading, "heading": failure.heading, "text": failure.text, "command": failure.command,
      "retryPath": failure.status == .internalServerError && request.method == .get ? request.uri.description : nil,
    ]
    return site.page("message", values, request, visitor, status: failure.status)
  }
}
