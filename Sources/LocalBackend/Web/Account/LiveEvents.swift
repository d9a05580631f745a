import Foundation
import GRDB
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The event stream `/events/h/{id}`, which sends the likes and comments of a highlight to its open pages.
///
/// The row rules apply to each event: the stream ends if the visitor signs out or can no longer see the highlight.
struct LiveEvents: Sendable {
  let site: PageSite
  private let changes: LiveChanges

  /// The shortest time between two events, so that many changes cost little.
  private static let pause = Duration.milliseconds(250)
  /// The time without a change after which the server sends a comment. Proxies and browsers close idle connections.
  private static let silence = Duration.seconds(15)

  init(site: PageSite) {
    self.site = site
    changes = LiveChanges(in: site.rows.store.database)
  }

  func add(to router: Router<BackendContext>) {
    router.get("events/h/:id") { request, context in
      let id = try context.parameters.require("id")
      let visitor = try await site.visitor(of: request)
      guard try await FeedRoutes(site: site).liveParts(of: id, for: visitor) != nil else { throw PageFailure.notFound }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
          try await send(id, request, visitor.caller, &writer)
          try await writer.write(QueueRoutes.formatEvent("ending", "bye"))
          try await writer.finish(nil)
        })
    }
  }

  /// Sends the parts of the page now and after each change, until the server stops or the visitor may not see them.
  private func send(
    _ id: String, _ request: Request, _ caller: Caller, _ writer: inout any ResponseBodyWriter
  ) async throws {
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    // Before the first read, so that no change is missed.
    let listener = changes.add(signal)
    let timer = Task {
      while true {
        try await Task.sleep(for: Self.silence)
        signal.yield()
      }
    }
    defer {
      changes.remove(listener)
      timer.cancel()
    }
    signal.yield()
    try await withGracefulShutdownHandler {
      var sent: String?
      var lastWrite = ContinuousClock.now
      for await _ in signals {
        let visitor = try await site.visitor(of: request)
        guard visitor.caller == caller, let text = try await FeedRoutes(site: site).liveParts(of: id, for: visitor)
        else { return }
        let isNew = text != sent
        if isNew || lastWrite.duration(to: .now) >= Self.silence {
          try await writer.write(isNew ? QueueRoutes.formatEvent("parts", text) : ByteBuffer(string: ":\n\n"))
          (sent, lastWrite) = (text, .now)
        }
        try await Task.sleep(for: Self.pause)
      }
    } onGracefulShutdown: {
      signal.finish()
    }
  }
}
