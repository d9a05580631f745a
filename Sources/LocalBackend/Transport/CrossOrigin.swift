import Foundation
import GRDB
import Hummingbird

/// Access for pages from other origins: they may upload and play media if the upload's `cors_origin` is their origin or
/// `*`. `RequestGuard` rejects all other requests.
struct CrossOrigin: BackendMiddleware {
  enum Resource: Sendable {
    /// `PUT /upload/{id}` and its preflight.
    case upload
    /// Streams and images.
    case media
  }

  let resource: Resource
  let store: ServerStore

  @concurrent
  func handle(_ request: Request, context: BackendContext, next: Responder) async throws -> Response {
    switch resource {
    case .upload: try await upload(request, context, next)
    case .media: try await media(request, context, next)
    }
  }

  private func upload(_ request: Request, _ context: BackendContext, _ next: Responder) async throws -> Response {
    guard let origin = Self.origin(of: request) else { return try await next(request, context) }
    guard let upload = try await store.upload(context.parameters.require("id")), upload.accepts(tokenOf: request),
      Self.isAllowed(origin, by: upload.corsOrigin)
    else { throw Self.refusal }
    // This applies to error responses too, because the client reads the offset and the reason from them.
    var response = try await Self.response(to: request, context, next)
    Self.allow(upload.corsOrigin, in: &response.headers)
    return response
  }

  private func media(_ request: Request, _ context: BackendContext, _ next: Responder) async throws -> Response {
    // `{id}.m3u8` and `{id}/init.mp4`
    let playbackID = try context.parameters.require("playback").prefix { $0 != "." }
    let corsOrigin = try await store.corsOrigin(ofPlaybackID: String(playbackID)) ?? ""
    let isAllowed = Self.origin(of: request).map { Self.isAllowed($0, by: corsOrigin) } ?? !corsOrigin.isEmpty
    if request.method == .options, !isAllowed { throw Self.refusal }
    guard !corsOrigin.isEmpty else { return try await next(request, context) }
    var response = try await Self.response(to: request, context, next)
    if corsOrigin != "*" { response.headers[.vary] = "Origin" }
    if isAllowed {
      Self.allow(corsOrigin, in: &response.headers)
      // `<img>` and `<video>` send no origin, and their page cannot read what they display.
      response.headers.set(RequestGuard.resourcePolicy, to: "cross-origin")
    }
    return response
  }

  /// Whether the route that handles the request checks the origin.
  static func isChecked(byRouteOf request: Request) -> Bool {
    let parts = request.uri.path.split(separator: "/")
    switch parts.first {
    case "upload": return parts.count == 2 && [.put, .options].contains(request.method)
    case "stream", "image": return request.method == .options
    default: return false
    }
  }

  /// The origin of the request if it comes from a page with a different origin.
  static func origin(of request: Request) -> String? {
    guard let origin = request.headers[.origin], origin.lowercased() != request.ownBase.lowercased() else { return nil }
    return origin
  }

  static let refusal = BackendFailure(.forbidden, "wrong_origin", "requests from other web pages are rejected")

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

  /// Lets the page read the response. Credentials are not used, so `*` covers every header.
  private static func allow(_ corsOrigin: String, in headers: inout HTTPFields) {
    headers[.accessControlAllowOrigin] = corsOrigin
    headers[.accessControlExposeHeaders] = "*"
  }
}

extension UploadRow {
  /// The `cors_origin` of the direct upload; empty if it has none, as is the case for an upload with a draft.
  var corsOrigin: String { muxRequest?.corsOrigin ?? "" }

  /// Whether the request contains the token of the upload URL.
  func accepts(tokenOf request: Request) -> Bool {
    RandomText.isEqualInConstantTime(request.uri.queryParameters.get("token") ?? "", token)
  }
}

extension ServerStore {
  /// The `cors_origin` of the upload that an asset was created from.
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
