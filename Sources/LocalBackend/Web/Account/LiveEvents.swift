import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The event stream `/events/h/{id}`, which sends the likes and comments of a highlight to its open pages.
///
/// The row rules apply to each event: the stream ends if the visitor signs out or can't see the highlight any more.
struct LiveEvents: Sendable {
  let site: PageSite

  /// The interval at which the stream reads the database.
  private static let pause = Duration.seconds(1)
  /// The number of intervals without a change after which the server sends a comment. Proxies and browsers close silent
  /// connections.
  private static let silentPauses = 15

  func add(to router: Router<BackendContext>) {
    router.get("events/h/:id") { request, context in
      let id = try context.parameters.require("id")
      let parts = FeedRoutes(site: site)
      let first = try await site.visitor(of: request)
      guard try await parts.liveParts(of: id, for: first) != nil else { throw PageFailure.notFound }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
          var sent: String?
          var silence = 0
          while !Task.isShuttingDownGracefully {
            let visitor = try await site.visitor(of: request)
            guard visitor.caller == first.caller, let text = try await parts.liveParts(of: id, for: visitor) else {
              break
            }
            if text != sent || silence >= Self.silentPauses {
              try await writer.write(
                text == sent ? ByteBuffer(string: ":\n\n") : QueueRoutes.formatEvent("parts", text))
              (sent, silence) = (text, 0)
            }
            silence += 1
            try await Task.sleep(for: Self.pause)
          }
          try await writer.write(QueueRoutes.formatEvent("ending", "bye"))
          try await writer.finish(nil)
        })
    }
  }
}
