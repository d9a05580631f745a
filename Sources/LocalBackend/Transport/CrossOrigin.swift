import Foundation
import GRDB
import Hummingbird

/// Controls access by web pages from other origins. These pages may upload and play media if the upload's `cors_origin`
/// is their origin or `*`. `RequestGuard` rejects all of their other requests.
struct CrossOrigin: BackendMiddleware {
  enum Resource: Sendable {
    /// Upload URLs: `PUT /upload/{id}` and its preflight request.
    case upload
    /// Media: streams and images.
    case media
  }

  let resource: Resource
  let store: ServerStore

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    switch resource {
    case .upload: try await handleUpload(request, context, next)
    case .media: try await handleMedia(request, context, next)
    }
  }

  private func handleUpload(_ request: Request, _ context: BackendContext, _ next: Responder) async throws -> Response {
    guard let origin = Self.origin(of: request) else { return try await next(request, context) }
    guard let upload = try await store.upload(context.parameters.require("id")), upload.accepts(tokenOf: request),
      Self.isAllowed(origin, by: upload.corsOrigin)
    else { throw Self.refusal }
    // Error responses need these headers too, because clients read the offset and the reason from them.
    var response = try await Self.response(to: request, context, next)
    Self.allowOrigin(upload.corsOrigin, in: &response.headers)
    return response
  }

  private func handleMedia(_ request: Request, _ context: BackendContext, _ next: Responder) async throws -> Response {
    // The path contains `{id}.m3u8` or `{id}/init.mp4`.
    let playbackID = try context.parameters.require("playback").prefix { $0 != "." }
    let corsOrigin = try await store.corsOrigin(ofPlaybackID: String(playbackID)) ?? ""
    let isAllowed = Self.origin(of: request).map { Self.isAllowed($0, by: corsOrigin) } ?? !corsOrigin.isEmpty
    if request.method == .options, !isAllowed { throw Self.refusal }
    guard !corsOrigin.isEmpty else { return try await next(request, context) }
    var response = try await Self.response(to: request, context, next)
    if corsOrigin != "*" { response.headers[.vary] = "Origin" }
    if isAllowed {
      Self.allowOrigin(corsOrigin, in: &response.headers)
      // The elements `<img>` and `<video>` send no `Origin` header, and their page can't read what they display.
      response.headers.set(RequestGuard.resourcePolicy, to: "cross-origin")
    }
    return response
  }

  /// Whether the route of a request checks the origin.
  static func isOriginChecked(byRouteOf request: Request) -> Bool {
    let parts = request.uri.path.split(separator: "/")
    switch parts.first {
    case "upload": return parts.count == 2 && [.put, .options].contains(request.method)
    case "stream", "image": return request.method == .options
    default: return false
    }
  }

  /// Returns the request's origin if the request comes from a page with a different origin.
  static func origin(of request: Request) -> String? {
    guard let origin = request.headers[.origin], origin.lowercased() != request.requestedBaseURL.lowercased() else {
      return nil
    }
    return origin
  }

  static let refusal = BackendFailure(.forbidden, "wrong_origin", "requests from other web pages are not allowed")

  static func preflightResponse(methods: String) -> Response {
    Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: methods, .accessControlAllowHeaders: "*", .accessControlMaxAge: "3600",
        .allow: methods,
      ])
  }

  private static func isAllowed(_ origin: String, by corsOrigin: String) -> Bool {
    corsOrigin == "*" || corsOrigin == origin
  }

  /// Adds the headers that let a page read the response. Requests contain no credentials, so `*` covers every header.
  private static func allowOrigin(_ corsOrigin: String, in headers: inout HTTPFields) {
    headers[.accessControlAllowOrigin] = corsOrigin
    headers[.accessControlExposeHeaders] = "*"
  }
}

extension UploadRow {
  /// The `cors_origin` of the direct upload. It is empty if none was set, as for an upload with a draft.
  var corsOrigin: String { muxRequest?.corsOrigin ?? "" }

  /// Whether a request contains the upload URL's token.
  func accepts(tokenOf request: Request) -> Bool {
    RandomText.isEqualInConstantTime(request.uri.queryParameters.get("token") ?? "", token)
  }
}

extension ServerStore {
  /// Returns the `cors_origin` of the upload from which an asset was created.
  fileprivate func corsOrigin(ofPlaybackID id: String) async throws -> String? {
    try await database.read { db in
      try UploadRow.fetchOne(
        db,
        sql: """
          SELECT uploads.* FROM playback_ids JOIN assets ON assets.id = playback_ids.asset_id
          JOIN uploads ON uploads.id = assets.upload_id WHERE playback_ids.id = ?
          """, arguments: [id])?.corsOrigin
    }
  }
}
