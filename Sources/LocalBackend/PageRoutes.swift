import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Mustache
import NIOCore

/// The web pages: `/`, `/h/{highlight id}` and what they are made of.
struct PageRoutes: Sendable {
  let store: ServerStore
  let callers: CallerIdentity
  private let library: MustacheLibrary

  private static let pageSize = 24

  init(store: ServerStore, callers: CallerIdentity) throws {
    self.store = store
    self.callers = callers
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("layout", PackageResources.layout_mustache), ("card", PackageResources.card_mustache),
      ("highlights", PackageResources.highlights_mustache), ("highlight", PackageResources.highlight_mustache),
      ("missing", PackageResources.missing_mustache),
    ] {
      try library.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    self.library = library
  }

  func add(to router: Router<BackendContext>) {
    router.get("/") { request, _ in try await list(request) }
    router.get("h/:id") { request, context in
      try await one(context.parameters.require("id"), request)
    }
    router.get("style.css") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/css; charset=utf-8", .cacheControl: "no-cache"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.style_css)))
    }
    router.get("icon.svg") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "image/svg+xml", .cacheControl: "max-age=86400"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.icon_svg)))
    }
  }

  private func list(_ request: Request) async throws -> Response {
    let offset = request.uri.queryParameters.get("offset").flatMap { decimal($0[...]) }.map { Int(clamping: $0) } ?? 0
    let caller = try await callers.caller(of: request)
    let count = try await store.highlightCount(for: caller)
    let rows = try await store.highlights(limit: Self.pageSize, offset: offset, for: caller)
    var values: [String: Any] = [
      "title": "Highlights", "count": count, "isSingular": count == 1, "isEmpty": count == 0,
      "highlights": rows.map { HighlightCard($0) },
    ]
    if offset > 0 { values["newer"] = String(max(0, offset - Self.pageSize)) }
    if offset + rows.count < count, !rows.isEmpty { values["older"] = String(offset + rows.count) }
    return page("highlights", values)
  }

  private func one(_ id: String, _ request: Request) async throws -> Response {
    let caller = try await callers.caller(of: request)
    guard let uuid = UUID(uuidString: id),
      let row = try await store.highlight(id: uuid.uuidString.lowercased(), for: caller)
    else { return page("missing", ["title": "Not here"], status: .notFound) }
    let card = HighlightCard(row)
    return page("highlight", ["title": row.caption ?? "Rally", "highlight": card])
  }

  private func page(_ template: String, _ values: [String: Any], status: HTTPResponse.Status = .ok) -> Response {
    let text = library.render(values, withTemplate: template) ?? ""
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

/// A highlight as the pages show it. The templates escape every text.
struct HighlightCard {
  /// What a player needs; `poster` is empty where nobody has one.
  struct Video {
    let source: String
    let poster: String
  }

  let id: String
  /// One under the other.
  let videos: [Video]
  let caption: String?
  let tags: [String]
  let duration: String
  let created: String
  let createdISO: String
  let privacy: String?

  init(_ row: HighlightRow) {
    id = row.id
    let first = Video(source: "/stream/\(row.muxPlaybackID).mp4", poster: row.thumbnailURL ?? "")
    videos = [first] + (row.videoURLs ?? []).dropFirst().map { Video(videoURL: $0) }
    caption = row.caption.flatMap { $0.isEmpty ? nil : $0 }
    tags = row.tags
    duration = row.duration.map { String(format: "%.1f s", $0) } ?? ""
    created = row.createdAt.prefix(16).replacing("T", with: " ") + " UTC"
    createdISO = row.createdAt
    privacy =
      switch row.privacy {
      case "public": nil
      case "followers_only": "followers only"
      default: row.privacy
      }
  }
}

extension HighlightCard.Video {
  /// A further video of a post: a clip of this server, or what the app wrote.
  fileprivate init(videoURL: String) {
    guard let match = videoURL.wholeMatch(of: /\/stream\/([A-Za-z0-9_\-]+)\.m3u8/) else {
      (source, poster) = (videoURL, "")
      return
    }
    // Not every browser plays lists of pieces.
    source = "/stream/\(match.1).mp4"
    poster = "/image/\(match.1)/thumbnail.jpg?time=2"
  }
}
