import ClipModel
import Foundation
import Hummingbird

/// Opens uploads as in Google Cloud Storage, so that other clients can test the chunk endpoint.
///
/// Disabled by default (`bsc serve --upload-sessions`). These uploads become plain objects and never highlights.
///
///     POST /upload/storage/v1/b/{bucket}/o?uploadType=resumable&name={name}  →  200, Location: the upload URL
///     GET  /download/storage/v1/b/{bucket}/o/{name}?alt=media                →  its bytes
struct SessionRoutes: Sendable {
  let server: ServerDependencies
  private let files = FileIO()

  /// The lifetime of an upload URL in seconds: one week, as in Google Cloud Storage.
  private static let lifetimeSeconds: Int64 = 604_800
  /// The maximum size of an object's metadata in bytes.
  private static let bodyLimit = 64 * 1024

  func add(to router: Router<BackendContext>) {
    router.post("upload/storage/v1/b/:bucket/o") { request, context in
      try await open(request, context, bucket: context.parameters.require("bucket"))
    }
    router.get("download/storage/v1/b/:bucket/o/:name") { _, context in
      let name = try context.parameters.require("name").removingPercentEncoding ?? ""
      let object = ObjectName(bucket: try context.parameters.require("bucket"), name: name)
      guard let id = try await server.store.uploadID(ofObject: object.text) else {
        throw BackendFailure.notFound("the object")
      }
      return Response(
        status: .ok, headers: [.contentType: "application/octet-stream"],
        body: try await files.loadFile(path: server.folder.partPath(ofUpload: id), context: context))
    }
  }

  private func open(_ request: Request, _ context: BackendContext, bucket: String) async throws -> Response {
    var name = request.uri.queryParameters.get("name")
    if name == nil {
      struct Metadata: Decodable { var name: String? }
      name = try await context.decodeBody(of: request, limit: Self.bodyLimit, as: Metadata.self).name
    }
    guard request.uri.queryParameters.get("uploadType") == "resumable", let name, !name.isEmpty else {
      throw BackendFailure(.badRequest, "invalid_request", "uploadType=resumable and a name are required")
    }
    let ticket = try await server.store.openSession(
      ObjectName(bucket: bucket, name: name).text, lifetimeSeconds: Self.lifetimeSeconds, now: server.now)
    return Response(status: .ok, headers: [.location: request.requestedBaseURL + ticket.url])
  }
}

/// An object's bucket and name. The column `uploads.object_name` stores them with a slash as separator. Bucket names
/// don't contain slashes.
struct ObjectName: Equatable, Sendable {
  var bucket: String
  var name: String

  var text: String { "\(bucket)/\(name)" }
}

extension ObjectName {
  init?(text: String) {
    guard let slash = text.firstIndex(of: "/") else { return nil }
    self.init(bucket: String(text[..<slash]), name: String(text[text.index(after: slash)...]))
  }
}
