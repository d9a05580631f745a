import ClipModel
import Foundation
import GRDB
import Hummingbird
import NIOCore

/// The routes of `/storage/v1/object/avatars/{account}/{name}`, with the rules and responses of Supabase's Storage. Each
/// account writes only to its own folder, and everyone can read.
struct AvatarRoutes: Sendable {
  let server: ServerDependencies

  private var avatars: AvatarStore { server.avatars }

  func add(to router: Router<BackendContext>) {
    let path: RouterPath = "storage/v1/object/avatars/:account/:name"
    router.post(path) { request, context in
      let upserts = request.headers.value(of: "x-upsert") == "true"
      return try await store(request, context, upserts ? .insertOrReplace : .insert)
    }
    router.put(path) { request, context in try await store(request, context, .replace) }
    router.delete(path) { request, context in
      let file = try await ownFile(request, context)
      guard try await avatars.delete([file]).count == 1 else { throw StorageError.notFound }
      return try Response.json(["message": "Successfully deleted"])
    }
    router.delete("storage/v1/object/avatars") { request, context in
      let body = try await context.json(of: request, limit: 1024, excess: StorageError.tooLarge)
      let names = (body?["prefixes"]?.elements ?? []).compactMap(\.string)
      let caller = try await server.callers.caller(of: request)
      let files = names.compactMap { AvatarFile($0) }.filter { $0.isWritable(by: caller) }
      return try Response.json(try await avatars.delete(files).map { ["name": $0.path] })
    }
    router.get("storage/v1/object/public/avatars/:account/:name") { request, context in
      try await serve(file(context), request)
    }
  }

  // MARK: Reading

  private func serve(_ file: AvatarFile, _ request: Request) async throws -> Response {
    let stored: (type: String, bytes: Data, version: String)? = try await server.store.database.read { db in
      try Row.fetchOne(
        db, sql: "SELECT media_type, bytes, version FROM avatars WHERE account_id = ? AND name = ?",
        arguments: [file.account, file.name]
      ).map { ($0["media_type"], $0["bytes"], $0["version"]) }
    }
    guard let stored else { throw StorageError.notFound }
    let tag = "\"\(stored.version)\""
    var headers: HTTPFields = [.eTag: tag]
    headers.set("content-disposition", to: "inline")
    if let known = request.headers[.ifNoneMatch], known.contains(tag) {
      return Response(status: .notModified, headers: headers)
    }
    return .text(stored.bytes, stored.type, cache: "no-cache", headers: headers)
  }

  // MARK: Writing

  private func store(
    _ request: Request, _ context: BackendContext, _ mode: AvatarStore.WriteMode
  ) async throws -> Response {
    let file = try await ownFile(request, context)
    let picture = try await StillPicture.received(in: request, context, limit: AvatarStore.byteLimit)
    let version = try await avatars.store(picture, as: file, mode)
    return try Response.json(["Id": version, "Key": "avatars/\(file.path)"], keys: .useDefaultKeys)
  }

  // MARK: Rules

  private func file(_ context: BackendContext) throws -> AvatarFile {
    let account = try context.parameters.require("account")
    let name = try context.parameters.require("name").removingPercentEncoding ?? ""
    guard let file = AvatarFile("\(account)/\(name)") else { throw StorageError.notFound }
    return file
  }

  private func ownFile(_ request: Request, _ context: BackendContext) async throws -> AvatarFile {
    let caller = try await server.callers.caller(of: request)
    guard let file = try? file(context), file.isWritable(by: caller) else { throw StorageError.ruleViolated }
    return file
  }
}

/// An error response in the format of Supabase's Storage.
enum StorageError: HTTPResponseError {
  case notFound
  case ruleViolated
  case duplicate
  case tooLarge
  case unsupportedType(String)
  case invalidForm

  var status: HTTPResponse.Status {
    switch self {
    case .notFound: .notFound
    case .ruleViolated: .forbidden
    case .duplicate: .conflict
    case .tooLarge: .contentTooLarge
    case .unsupportedType: .unsupportedMediaType
    case .invalidForm: .badRequest
    }
  }

  private var text: (error: String, message: String) {
    switch self {
    case .notFound: ("not_found", "Object not found")
    case .ruleViolated: ("Unauthorized", "new row violates row-level security policy")
    case .duplicate: ("Duplicate", "The resource already exists")
    case .tooLarge: ("Payload too large", "The object exceeded the maximum allowed size")
    case .unsupportedType(let type): ("invalid_mime_type", "mime type \(type.prefix(80)) is not supported")
    case .invalidForm: ("InvalidRequest", "the form contains no file")
    }
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    let (error, message) = text
    return try Response.json(
      ["statusCode": "\(status.code)", "error": error, "message": message], status: status, keys: .useDefaultKeys)
  }
}
