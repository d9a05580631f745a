import Foundation
import Hummingbird

/// The route `POST /functions/v1/trim`, which shortens a highlight to a part of its video. On Supabase, an Edge Function
/// starts a clip of the asset at Mux. This server cuts the stored clip, so the response already has the final status.
struct TrimRoutes: Sendable {
  let server: ServerDependencies
  private let running = RunningTrims()

  private static let bodyLimit = 4096

  init(server: ServerDependencies) { self.server = server }

  func add(to router: Router<BackendContext>) {
    for path in ["trim", "functions/v1/trim"] {
      router.post("\(path)") { request, context in
        let author = try await server.callers.user(of: request)
        let body = try await context.decodeBody(of: request, limit: Self.bodyLimit, as: Body.self)
        let highlight = body.highlightID.uuidString.lowercased()
        let asset = try await trim(highlight, of: author, from: body.from, to: body.to)
        return try Response.json(["id": asset, "highlight_id": highlight, "status": "ready"] as JSONObject)
      }
    }
  }

  private struct Body: Decodable {
    var highlightID: UUID
    var from: Double
    var to: Double

    enum CodingKeys: String, CodingKey {
      case from, to
      case highlightID = "highlight_id"
    }
  }

  private static func check(_ from: Double, _ to: Double, _ duration: Double) throws(BackendFailure) {
    guard from >= 0, to > from, to <= duration + AssetRules.tolerance else {
      throw BackendFailure.invalid(["from and to must be within the video"], status: .unprocessableContent)
    }
    let allowed = DraftRules.duration
    guard (allowed.lowerBound - 1e-6...allowed.upperBound + 1e-6).contains(to - from) else {
      throw BackendFailure.invalid(["a rally must last 3 to 60 s"], status: .unprocessableContent)
    }
  }

  /// Shortens a highlight's video. A page and the function do the same.
  /// - Returns: the ID of the new asset.
  /// - Throws: `BackendFailure` if the part is invalid, or the highlight can't be trimmed.
  func trim(_ highlight: String, of author: String, from: Double, to: Double) async throws -> String {
    let source = try await server.store.trimmableAsset(ofHighlight: highlight, author: author)
    try Self.check(from, to, source.facts?.durationSeconds ?? 0)
    return try await running.run(highlight, from..<to) { try await cut(source, of: highlight, to: from..<to) }
  }

  /// Cuts the clip, and gives it to the highlight.
  private func cut(_ source: AssetRow, of highlight: String, to range: Range<Double>) async throws -> String {
    let clip = server.folder.clipPath(ofAsset: source.id)
    let maker = server.configuration.assetMaker
    let times = [range.lowerBound, range.upperBound].map { String(Int64(($0 * 1000).rounded())) }.joined(separator: "-")
    // The source's folder has the new files until the highlight uses them. Deleting the source also deletes files of an
    // interrupted trim.
    let cut = try await server.renditions.itemPath("trim-\(times).mp4", ofAsset: source.id) { path in
      try await maker.trim(clip, range, path)
    }
    do {
      return try await replaceVideo(of: highlight, source, with: cut, seconds: range.upperBound - range.lowerBound)
    } catch {
      let folder = server.folder
      try? await runBlocking { try folder.remove(cut) }
      throw error
    }
  }

  private func replaceVideo(
    of highlight: String, _ source: AssetRow, with cut: String, seconds: Double
  ) async throws -> String {
    let facts = try await server.configuration.assetMaker.inspect(cut)
    if let problem = AssetRules.problem(facts) {
      throw BackendFailure.invalid([problem], status: .unprocessableContent)
    }
    return try await server.store.replaceAsset(
      of: highlight, source, facts, seconds: seconds, now: server.now
    ) { [folder = server.folder] asset in
      try FileManager.default.createDirectory(
        atPath: folder.assetPath(asset), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try PartFile.move(cut, to: folder.clipPath(ofAsset: asset))
      try PartFile.synchronizeFolder(folder.assets)
    }
  }
}
