import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/rest/v1/highlights`, as PostgREST answers.
struct HighlightRoutes: Sendable {
  let store: ServerStore
  let folder: DataFolder

  func add(to router: Router<BackendContext>) {
    router.get("rest/v1/highlights") { request, _ in try await list(request) }
    router.delete("rest/v1/highlights") { request, _ in try await delete(request) }
  }

  private func list(_ request: Request) async throws -> Response {
    let query = try Self.query(of: request)
    let rows: [HighlightRow]
    if let id = query.id {
      let row = try await store.highlight(id: id)
      rows = Array([row].compactMap(\.self).dropFirst(query.offset).prefix(query.limit))
    } else {
      rows = try await store.highlights(limit: query.limit, offset: query.offset)
    }
    if request.headers[.accept]?.contains("application/vnd.pgrst.object+json") == true {
      guard let row = rows.first, rows.count == 1 else {
        throw PostgRESTFailure(
          status: .notAcceptable, code: "PGRST116", message: "Cannot coerce the result to a single JSON object",
          details: "The result contains \(rows.count) rows")
      }
      return try Response.json(row)
    }
    let range = rows.isEmpty ? "*/*" : "\(query.offset)-\(query.offset + rows.count - 1)/*"
    return try Response.json(rows, headers: [.contentRange: range])
  }

  private func delete(_ request: Request) async throws -> Response {
    let query = try Self.query(of: request)
    guard let id = query.id else {
      // PostgREST itself would delete every row.
      throw PostgRESTFailure(code: "21000", message: "DELETE requires a WHERE clause", details: "use id=eq.<uuid>")
    }
    if request.headers.value(of: "prefer")?.contains("return=representation") == true {
      throw PostgRESTFailure(message: "the local backend knows Prefer: return=minimal only")
    }
    if let row = try await store.deleteHighlight(id: id), let assetID = row.muxAssetID {
      try await blocking { [folder] in try folder.remove(folder.asset(assetID)) }
    }
    return Response(status: .noContent)
  }

  private static func query(of request: Request) throws -> PostgRESTQuery {
    guard request.headers[.range] == nil else {
      throw PostgRESTFailure(message: "the local backend knows limit and offset, not Range")
    }
    let parameters = request.uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }
    return try PostgRESTQuery(parameters)
  }
}
