import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// What pages of other origins may do: send the bytes of an upload and play its video, where the upload's `cors_origin`
/// is their origin or `*`. `RequestGuard` rejects everything else.
enum CrossOrigin {
  /// The request is one whose route checks the origin.
  static func isChecked(byRouteOf request: Request) -> Bool {
    let parts = request.uri.path.split(separator: "/")
    switch parts.first {
    case "upload": return parts.count == 2 && [.put, .options].contains(request.method)
    case "stream", "image": return request.method == .options
    default: return false
    }
  }

  /// The request comes from a page of another origin.
  static func origin(of request: Request) -> String? {
    guard let origin = request.headers[.origin], origin.lowercased() != request.ownBase.lowercased() else { return nil }
    return origin
  }

  static func isAllowed(_ origin: String, by corsOrigin: String) -> Bool { corsOrigin == "*" || corsOrigin == origin }

  static let refusal = BackendFailure(
    status: .forbidden, type: "wrong_origin", messages: ["requests of other web pages are refused"])

  static func preflightAnswer(methods: String) -> Response {
    Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: methods, .accessControlAllowHeaders: "*", .accessControlMaxAge: "3600",
        .allow: methods,
      ])
  }

  /// The page may read the answer. Without credentials, so that `*` means every header.
  static func allow(_ corsOrigin: String, in headers: inout HTTPFields) {
    headers[.accessControlAllowOrigin] = corsOrigin
    headers[.accessControlExposeHeaders] = "*"
  }

  /// The answer of the next responder, whether it is thrown or returned.
  static func response(
    to request: Request, _ context: BackendContext,
    _ next: @concurrent (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as any HTTPResponseError {
      return try error.response(from: request, context: context)
    }
  }
}

/// `PUT /upload/{id}` and its preflight, from pages of the origin that the upload names.
struct CrossOriginUploads: RouterMiddleware {
  typealias Context = BackendContext

  let store: ServerStore

  @concurrent
  func handle(
    _ request: Request, context: BackendContext, next: @concurrent (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    guard let origin = CrossOrigin.origin(of: request) else { return try await next(request, context) }
    guard let upload = try await store.upload(context.parameters.require("id")), upload.isNamed(by: request),
      CrossOrigin.isAllowed(origin, by: upload.corsOrigin)
    else { throw CrossOrigin.refusal }
    // Refusals too: the client reads the offset and the reason from them.
    var response = try await CrossOrigin.response(to: request, context, next)
    CrossOrigin.allow(upload.corsOrigin, in: &response.headers)
    return response
  }
}

/// Streams and images, for pages of the origin that the asset's upload names.
struct CrossOriginMedia: RouterMiddleware {
  typealias Context = BackendContext

  let store: ServerStore

  @concurrent
  func handle(
    _ request: Request, context: BackendContext, next: @concurrent (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    // `{id}.m3u8` and `{id}/init.mp4`
    let playbackID = try context.parameters.require("playback").prefix { $0 != "." }
    let corsOrigin = try await store.corsOrigin(ofPlaybackID: String(playbackID)) ?? ""
    guard !corsOrigin.isEmpty else {
      if request.method == .options { throw CrossOrigin.refusal }
      return try await next(request, context)
    }
    let origin = CrossOrigin.origin(of: request)
    let isAllowed = origin.map { CrossOrigin.isAllowed($0, by: corsOrigin) } ?? true
    if request.method == .options, !isAllowed { throw CrossOrigin.refusal }
    var response = try await CrossOrigin.response(to: request, context, next)
    if corsOrigin != "*" { response.headers[.vary] = "Origin" }
    if isAllowed {
      CrossOrigin.allow(corsOrigin, in: &response.headers)
      // `<img>` and `<video>` send no origin, and their page cannot read what they show.
      response.headers.set(RequestGuard<Context>.resourcePolicy, to: "cross-origin")
    }
    return response
  }
}

extension UploadRow {
  /// `cors_origin` of the direct upload; empty when it names none, as an upload with a draft.
  var corsOrigin: String { muxRequest?.corsOrigin ?? "" }

  /// The request has the token of the upload URL.
  func isNamed(by request: Request) -> Bool {
    RandomText.isEqualInConstantTime(request.uri.queryParameters.get("token") ?? "", token)
  }
}

extension ServerStore {
  /// `cors_origin` of the upload that an asset was made of.
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
