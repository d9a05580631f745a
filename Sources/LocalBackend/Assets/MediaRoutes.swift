import Foundation
import Hummingbird

/// `/stream/{playback id}…`, in place of Mux's host for videos: the clip itself, and the same in pieces (HLS).
///
/// A file is found through a playback id of a ready asset alone, so what never became one cannot be fetched.
struct MediaRoutes: Sendable {
  let server: ServerDependencies
  private let files = AssetFiles()

  func add(to router: Router<BackendContext>) {
    let media = router.group().add(middleware: CrossOrigin(resource: .media, store: server.store))
    for path in ["stream/:playback", "stream/:playback/:file", "image/:playback/:file"] {
      media.on("\(path)", method: .options) { _, _ in CrossOrigin.preflightAnswer(methods: "GET, HEAD") }
    }
    media.get("stream/:playback") { request, context in
      let name = try context.parameters.require("playback")
      if name.hasSuffix(".mp4") { return try await clip(ofPlayback: String(name.dropLast(4)), request, context) }
      guard name.hasSuffix(".m3u8") else { throw BackendFailure.notFound("the clip") }
      return try await playlist(ofPlayback: String(name.dropLast(5)), request)
    }
    media.get("stream/:playback/:file") { request, context in
      let playback = try context.parameters.require("playback")
      let file = try context.parameters.require("file")
      if file == "highest.mp4" { return try await clip(ofPlayback: playback, request, context) }
      return try await piece(file, ofPlayback: playback, request, context)
    }
    ImageRoutes(server: server).add(to: media)
  }

  private func clip(ofPlayback id: String, _ request: Request, _ context: BackendContext) async throws -> Response {
    let asset = try await server.store.playable(id).id
    return try await files.serve(
      server.folder.clip(ofAsset: asset), "video/mp4", tag: "\"\(asset)-clip\"", request, context)
  }

  private static let playlistType = "application/vnd.apple.mpegurl"
  private static let resolutions: Set<Substring> = [
    "270p", "360p", "480p", "540p", "720p", "1080p", "1440p", "2160p",
  ]

  /// The playlist of the one variant that there is. It lies one folder above the pieces.
  private func playlist(ofPlayback id: String, _ request: Request) async throws -> Response {
    for (name, value) in request.uri.queryParameters {
      switch name {
      case "max_resolution", "min_resolution":
        guard Self.resolutions.contains(value) else { throw BackendFailure.invalid(["\(name) is not a resolution"]) }
      case "rendition_order":
        guard value == "desc" else { throw BackendFailure.invalid(["rendition_order is desc or left out"]) }
      default: throw BackendFailure.invalid(["\(name.prefix(64)) is no parameter of a stream"])
      }
    }
    let path = try await stream(ofPlayback: id) + "/master.m3u8"
    let text = try await blocking { try String(contentsOfFile: path, encoding: .utf8) }
    let lines = text.split(separator: "\n").map { $0.hasPrefix("#") ? String($0) : "\(id)/\($0)" }
    return .text((lines.joined(separator: "\n") + "\n").utf8, Self.playlistType, cache: "private, max-age=3600")
  }

  private func piece(
    _ file: String, ofPlayback id: String, _ request: Request, _ context: BackendContext
  ) async throws -> Response {
    let type: String
    if file == "index.m3u8" {
      type = Self.playlistType
    } else if file == "init.mp4" {
      type = "video/mp4"
    } else if file.hasPrefix("segment"), file.hasSuffix(".m4s"), decimal(file.dropFirst(7).dropLast(4)) != nil {
      type = "video/iso.segment"
    } else {
      throw BackendFailure.notFound("the file")
    }
    let folder = try await stream(ofPlayback: id)
    return try await files.serve(folder + "/" + file, type, tag: "\"\(id)-\(file)\"", request, context)
  }

  /// The folder of an asset's pieces, made when they are asked for first.
  private func stream(ofPlayback id: String) async throws -> String {
    let asset = try await server.store.playable(id).id
    let clip = server.folder.clip(ofAsset: asset)
    return try await server.shelf.answered("stream", ofAsset: asset) { path in
      try await blocking { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
      try await server.configuration.assetMaker.makeStream(clip, path)
    }
  }
}

extension ServerStore {
  /// - Throws: 404 when a playback id names nothing that can be played.
  func playable(_ playbackID: String) async throws -> AssetRow {
    guard let asset = try await playableAsset(playbackID: playbackID) else { throw BackendFailure.notFound("the clip") }
    return asset
  }
}
