import ClipModel
import Foundation
import Hummingbird
import ServiceLifecycle

/// The page `/uploads`, which shows the uploads from this computer, and its event stream `/events/uploads`. Only the
/// owner can access them.
struct QueueRoutes: Sendable {
  let site: PageSite
  let uploads: (@Sendable () async throws -> [QueuedUpload])?

  /// The interval at which an open page reads the journal and checks whether the server is shutting down.
  private static let pause = Duration.milliseconds(400)
  /// The number of intervals without a change after which the server sends a comment. Proxies and browsers close silent
  /// connections.
  private static let silentPauses = 40

  func add(to router: Router<BackendContext>) {
    router.get("uploads") { request, _ in
      guard let uploads, request.headers[.accept]?.lowercased().contains("text/html") == true else {
        throw UploadRoutes.methodNotAllowed
      }
      let visitor = try await site.visitor(of: request)
      try visitor.requireOwner()
      do {
        return site.page("uploads", ["title": "Uploads", "jobs": try await uploads().map(\.values)], request, visitor)
      } catch let error as any ExplainedError {
        throw PageFailure(
          status: .internalServerError, heading: "Cannot read the uploads", text: error.explanation.why)
      }
    }
    router.get("events/uploads") { request, _ in
      guard let uploads else { throw PageFailure.notFound }
      try (try await site.visitor(of: request)).requireOwner()
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
          var sent = ""
          var silence = 0
          while !Task.isShuttingDownGracefully {
            let rows = site.library.text("queue", ["jobs": try await uploads().map(\.values)])
            if rows != sent || silence >= Self.silentPauses {
              // Visitors who have signed out receive no more events.
              guard try await site.visitor(of: request).isOwner else { break }
              try await writer.write(rows == sent ? ByteBuffer(string: ":\n\n") : Self.formatEvent("queue", rows))
              (sent, silence) = (rows, 0)
            }
            silence += 1
            try await Task.sleep(for: Self.pause)
          }
          try await writer.write(Self.formatEvent("ending", "bye"))
          try await writer.finish(nil)
        })
    }
  }

  static func formatEvent(_ name: String, _ text: String) -> ByteBuffer {
    let lines = text.split(whereSeparator: \.isNewline).map { "data: \($0)\n" }.joined()
    return ByteBuffer(string: "event: \(name)\n\(lines)\n")
  }
}

extension QueuedUpload {
  /// The upload's values for the template `queue`.
  fileprivate var values: [String: Any] {
    let (total, sent) = (byteCount ?? 0, sentByteCount ?? 0)
    let values: [String: Any?] = [
      "key": id, "clip": clip, "state": state, "isRunning": isRunning, "hasBytes": total > 0 && sentByteCount != nil,
      "percent": total > 0 ? Int(Double(sent) / Double(total) * 100) : 0,
      "sent": sent >= total ? ByteCount.text(total) : "\(ByteCount.text(sent)) of \(ByteCount.text(total))",
      "link": highlightID.map { "/h/\($0)" }, "why": reason, "then": next,
    ]
    return values.compactMapValues(\.self)
  }
}
