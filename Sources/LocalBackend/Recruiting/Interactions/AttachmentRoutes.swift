#if Recruiting
import ClipModel
import Foundation
import Hummingbird

/// The routes of `/storage/v1/object/attachments/{interaction}/{name}`, with the rules and responses of Supabase's Storage.
struct AttachmentRoutes: Sendable {
  let server: ServerDependencies

  func add(to router: Router<BackendContext>) {
    let path: RouterPath = "storage/v1/object/attachments/:interaction/:name"
    router.post(path) { request, context in
      let file = try file(context, else: .ruleViolated)
      let caller = try await server.callers.caller(of: request)
      let picture = try await StillPicture.received(in: request, context, limit: AttachmentStore.byteLimit)
      try await server.attachments.store(
        picture, as: file, for: caller, replaces: request.headers.value(of: "x-upsert") == "true")
      return try Response.json(["Key": file.listed], keys: .useDefaultKeys)
    }
    router.delete(path) { request, context in
      let caller = try await server.callers.caller(of: request)
      guard try await server.attachments.delete(try file(context, else: .notFound), for: caller) else {
        throw StorageError.notFound
      }
      return try Response.json(["message": "Successfully deleted"])
    }
    router.get("storage/v1/object/authenticated/attachments/:interaction/:name") { request, context in
      let caller = try await server.callers.caller(of: request)
      return try await Self.response(try file(context, else: .notFound), for: caller, server)
    }
  }

  /// The response with a file.
  /// - Throws: `StorageError.notFound` if it doesn't exist or the caller can't see it.
  static func response(
    _ file: Attachment, for caller: Caller, _ server: ServerDependencies
  ) async throws -> Response {
    guard let stored = try await server.attachments.read(file, for: caller) else { throw StorageError.notFound }
    var headers: HTTPFields = [:]
    headers.set("content-disposition", to: "inline; filename=\"\(file.name)\"")
    return .text(stored.bytes, stored.type, cache: "no-store", headers: headers)
  }

  private func file(_ context: BackendContext, else error: StorageError) throws -> Attachment {
    let name = try context.parameters.require("name").removingPercentEncoding ?? ""
    guard let file = Attachment(interaction: try context.parameters.require("interaction"), name: name) else {
      throw error
    }
    return file
  }
}
#endif
