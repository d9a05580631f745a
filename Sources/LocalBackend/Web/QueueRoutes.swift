import ClipModel
import Foundation
import Hummingbird
import ServiceLifecycle

/// `/uploads` for people, and `/events/uploads`: what is on its way from this machine, as it goes on. The owner's alone.
struct QueueRoutes: Sendable {
  let site: PageSite
  let uploads: (@Sendable () async throws -> [QueuedUpload])?

  /// How often the journal is read while a page is open; the end of the server is noticed as fast.
  private static let pause = Duration.milliseconds(400)
  /// Pauses without a change after which a line is sent all the same: connections without a byte are closed.
  private static let silentPauses = 40

  func add(to router: Router<BackendContext>) {
    router.get("uploads") { request, _ in
      guard let uploads, request.headers[.accept]?.lowercased().contains("text/html") == true else {
        throw UploadRoutes.methodNotAllowed
      }
      let visitor = try await site.visitor(of: request)
      try visitor.requireOwner()
      do {
        let jobs = try await uploads().map(QueueRow.init)
        return site.page("uploads", ["title": "Uploads", "jobs": jobs], request, visitor)
      } catch let error as any ExplainedError {
        throw PageFailure(
          status: .internalServerError, heading: "The uploads cannot be read", text: error.explanation.why)
      }
    }
    router.get("events/uploads") { request, _ in
      guard let uploads else { throw PageFailure.missing }
      try (try await site.visitor(of: request)).requireOwner()
      let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody { writer in
          var said = ""
          var silence = 0
          while !Task.isShuttingDownGracefully {
            let rows = site.library.text("queue", ["jobs": try await uploads().map(QueueRow.init)])
            // Visitors who have signed out meanwhile get no more events.
            if rows != said || silence >= Self.silentPauses, try await !site.visitor(of: request).isOwner { break }
            if rows != said {
              said = rows
              silence = 0
              try await writer.write(Self.event("queue", rows))
            } else if silence >= Self.silentPauses {
              silence = 0
              try await writer.write(ByteBuffer(string: ":\n\n"))
            }
            silence += 1
            try await Task.sleep(for: Self.pause)
          }
          try await writer.write(Self.event("ending", "bye"))
          try await writer.finish(nil)
        })
    }
  }

  private static func event(_ name: String, _ text: String) -> ByteBuffer {
    let lines = text.split(whereSeparator: \.isNewline).map { "data: \($0)\n" }.joined()
    return ByteBuffer(string: "event: \(name)\n\(lines)\n")
  }
}

/// A row of the table.
private struct QueueRow: Sendable {
  let key: String
  let clip: String
  let state: String
  let hasBytes: Bool
  let percent: Int
  let sent: String
  let link: String?
  let why: String?
  let then: String?

  init(_ upload: QueuedUpload) {
    key = upload.id
    clip = upload.clip
    state = upload.state
    let all = upload.byteCount ?? 0
    hasBytes = all > 0 && upload.sentByteCount != nil
    let part = upload.sentByteCount ?? 0
    percent = all > 0 ? Int(Double(part) / Double(all) * 100) : 0
    sent = part >= all ? ByteCount.text(all) : "\(ByteCount.text(part)) of \(ByteCount.text(all))"
    link = upload.highlightID.map { "/h/\($0)" }
    why = upload.reason
    then = upload.next
  }
}
