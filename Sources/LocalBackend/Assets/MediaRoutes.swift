import Foundation
import Hummingbird

/// The routes of `/stream/{playback id}…`, which replace Mux's video host. They serve the clip as a file and as an HLS
/// stream.
///
/// A file can only be accessed through the playback ID of a ready asset, so clients can't download unfinished uploads.
/// `PlaybackAccess` decides who may read it.
struct MediaRoutes: Sendable {
  let server: ServerDependencies
  private let files = AssetFiles()
  private var access: PlaybackAccess { PlaybackAccess(server: server) }

  func add(to router: Router<BackendContext>) {
    let media = router.group().add(middleware: CrossOrigin(resource: .media, store: server.store))
    for path in ["stream/:playback", "stream/:playback/:file", "image/:playback/:file"] {
      media.on("\(path)", method: .options) { _, _ in CrossOrigin.preflightResponse(methods: "GET, HEAD") }
    }
    media.get("stream/:playback") { request, context in
      let name = try context.parameters.require("playback")
      if name.hasSuffix(".mp4") { return try await serveClip(ofPlayback: String(name.dropLast(4)), request, context) }
      guard name.hasSuffix(".m3u8") else { throw BackendFailure.notFound("the clip") }
      return try await playlist(ofPlayback: String(name.dropLast(5)), request)
    }
    media.get("stream/:playback/:file") { request, context in
      let playback = try context.parameters.require("playback")
      let file = try context.parameters.require("file")
      if file == "highest.mp4" { return try await serveClip(ofPlayback: playback, request, context) }
      return try await serveStreamFile(file, ofPlayback: playback, request, context)
    }
    ImageRoutes(server: server).add(to: media)
  }

  private func serveClip(ofPlayback id: String, _ request: Request, _ context: BackendContext) async throws -> Response
  {
    let grant = try await access.grant(id, .file, request)
    let asset = grant.asset.id
    return try await files.serve(
      server.folder.clipPath(ofAsset: asset), "video/mp4", tag: "\"\(asset)-clip\"", cache: grant.cacheControl, request,
      context)
  }

  private static let playlistType = "application/vnd.apple.mpegurl"
  private static let resolutions: Set<Substring> = [
    "270p", "360p", "480p", "540p", "720p", "1080p", "1440p", "2160p",
  ]

  /// Returns the playlist of the only variant. The playlist's URL is one level above the stream's other files.
  private func playlist(ofPlayback id: String, _ request: Request) async throws -> Response {
    for (name, value) in request.uri.queryParameters {
      switch name {
      case "token": break
      case "max_resolution", "min_resolution":
        guard Self.resolutions.contains(value) else {
          throw BackendFailure.invalid(["\(name) is not a supported resolution"])
        }
      case "rendition_order":
        guard value == "desc" else { throw BackendFailure.invalid(["rendition_order must be desc or omitted"]) }
      default: throw BackendFailure.invalid(["streams do not support the parameter \(name.prefix(64))"])
      }
    }
    let grant = try await access.grant(id, .stream, request)
    return try await playlist("master.m3u8", prefix: "\(id)/", grant)
  }

  /// Returns a playlist of the stream, whose addresses contain the request's token.
  private func playlist(_ name: String, prefix: String = "", _ grant: PlaybackAccess.Grant) async throws -> Response {
    let path = try await streamFolder(of: grant.asset) + "/" + name
    let text = try await runBlocking { try String(contentsOfFile: path, encoding: .utf8) }
    let token = grant.token.map { "?token=\($0.text)" } ?? ""
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("#")
        ? line.replacing("URI=\"init.mp4\"", with: "URI=\"init.mp4\(token)\"") : "\(prefix)\(line)\(token)"
    }
    return .text((lines.joined(separator: "\n") + "\n").utf8, Self.playlistType, cache: grant.cacheControl)
  }

  private func serveStreamFile(
    _ file: String, ofPlayback id: String, _ request: Request, _ context: BackendContext
  ) async throws -> Response {
    let type =
      switch file {
      case "index.m3u8": Self.playlistType
      case "init.mp4": "video/mp4"
      case _ where file.wholeMatch(of: /segment[0-9]{1,18}\.m4s/) != nil: "video/iso.segment"
      default: throw BackendFailure.notFound("the file")
      }
    let grant = try await access.grant(id, .stream, request)
    // Without a token, the stored playlist is served as a file.
    if file == "index.m3u8", grant.token != nil { return try await playlist(file, grant) }
    let folder = try await streamFolder(of: grant.asset)
    return try await files.serve(
      folder + "/" + file, type, tag: "\"\(id)-\(file)\"", cache: grant.cacheControl, request, context)
  }

  /// Returns the folder of an asset's stream, which is created on the first request.
  private func streamFolder(of asset: AssetRow) async throws -> String {
    let clip = server.folder.clipPath(ofAsset: asset.id)
    return try await server.renditions.itemPath("stream", ofAsset: asset.id) { path in
      try await runBlocking {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      try await server.configuration.assetMaker.makeStream(clip, path)
    }
  }
}
