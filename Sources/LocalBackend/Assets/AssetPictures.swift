import ClipModel

/// The pictures of assets, which are rendered on the first request and then cached.
struct AssetPictures: Sendable {
  let folder: DataFolder
  let maker: AssetMaker
  let renditions: RenditionCache

  /// The app's thumbnail, which shows the frame after two seconds.
  private static let thumbnail = ImageQuery.still(PictureFraming(atSeconds: 2))

  /// Returns the path of a picture. If the picture is missing, it is rendered.
  /// - Throws: `BackendFailure` for errors that a client can act on.
  func path(_ query: ImageQuery, ofAsset id: String, _ facts: AssetProperties?) async throws -> String {
    let clip = folder.clipPath(ofAsset: id)
    return try await renditions.itemPath(query.itemName, ofAsset: id, limit: Self.limit(facts)) { [maker] path in
      try await maker.drawPicture(query, clip, path)
    }
  }

  /// Starts to render the thumbnail that the feed shows. If the server stops before, the first request renders it.
  func renderThumbnail(ofAsset id: String, _ facts: AssetProperties) {
    Task { try? await path(Self.thumbnail, ofAsset: id, facts) }
  }

  /// Returns Mux's limit on the number of cached pictures: one thumbnail and one animation for every ten seconds of the
  /// clip, and at least ten. Above the limit, a new picture replaces the oldest one.
  private static func limit(_ facts: AssetProperties?) -> Int {
    max(10, Int(min((facts?.durationSeconds ?? 0) / 10, 1000)))
  }
}
