import Foundation
import Hummingbird
import ServiceLifecycle

/// A refusal that people read.
struct PageFailure: Error {
  var status: HTTPResponse.Status
  var heading: String
  /// Why, and what to do.
  var text: String
  var command: String?

  static let missing = PageFailure(
    status: .notFound, heading: "This is not here",
    text: "It may have been deleted, it may be private, or it lies on another computer.")
  static let signInFirst = PageFailure(
    status: .unauthorized, heading: "Sign in first", text: "Only people with an account can do that. Sign in first.")
  static let owner = PageFailure(
    status: .forbidden, heading: "For the owner only",
    text: "This page is for whoever runs this server. On that computer, run:", command: "bsc serve --open")
  static let oldForm = PageFailure(
    status: .forbidden, heading: "This page was too old",
    text: "Somebody has signed in or out since it was opened, or the browser keeps no cookies. Reload it and try again."
  )
  static let foreignForm = PageFailure(
    status: .forbidden, heading: "Not from here", text: "This server takes changes from its own pages only.")
  static let crowded = PageFailure(
    status: .tooManyRequests, heading: "Too many at once",
    text: "Too many people sign in at this moment. Go back, and try again in ten seconds.")
  static let ending = PageFailure(
    status: .serviceUnavailable, heading: "The server is going away",
    text: "It was told to end. Nothing is lost; start it again and reload this page:", command: "bsc serve")
}

/// Answers people with pages where programs get JSON.
struct PageErrors: BackendMiddleware {

  let site: PageSite

  private static let programPaths = [
    "/rest/", "/auth/", "/storage/", "/video/", "/functions/", "/upload/", "/stream/", "/image/",
  ]

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    let isForPeople =
      request.headers[.accept]?.lowercased().contains("text/html") == true
      && !Self.programPaths.contains { request.uri.path.hasPrefix($0) }
    do {
      if isForPeople, Task.isShuttingDownGracefully { throw PageFailure.ending }
      return try await next(request, context)
    } catch let failure as PageFailure {
      return await page(failure, request)
    } catch let error as any HTTPResponseError where isForPeople {
      let response = try error.response(from: request, context: context)
      guard let failure = Self.failure(response.status) else { throw error }
      return await page(failure, request)
    }
  }

  private func page(_ failure: PageFailure, _ request: Request) async -> Response {
    let visitor = failure.status == .unauthorized ? nil : try? await site.visitor(of: request)
    var values: [String: Any] = ["title": failure.heading, "heading": failure.heading, "text": failure.text]
    if let command = failure.command { values["command"] = command }
    return site.page("message", values, request, visitor, status: failure.status)
  }

  private static func failure(_ status: HTTPResponse.Status) -> PageFailure? {
    switch status {
    case .notFound: .missing
    case .unauthorized:
      PageFailure(
        status: status, heading: "This server wants its token",
        text: "Open the address with ?token= behind it, as whoever runs the server gave it to you.")
    default: nil
    }
  }
}
