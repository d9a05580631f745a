/// The media work of the backend, handed in so that this target knows nothing of codecs.
public struct AssetMaker: Sendable {
  /// Reads the facts of the file at a path; throws when it is no readable video.
  public var inspect: @Sendable (_ path: String) async throws -> AssetFacts
  /// Draws the picture of `videoPath` at a time in seconds into a new JPEG file.
  public var drawThumbnail:
    @Sendable (_ videoPath: String, _ jpegPath: String, _ atSeconds: Double) async throws -> Void

  public init(
    inspect: @escaping @Sendable (_ path: String) async throws -> AssetFacts,
    drawThumbnail:
      @escaping @Sendable (_ videoPath: String, _ jpegPath: String, _ atSeconds: Double) async throws -> Void
  ) {
    self.inspect = inspect
    self.drawThumbnail = drawThumbnail
  }
}

/// What the backend needs to know of an uploaded file.
public struct AssetFacts: Sendable, Equatable {
  public var durationSeconds: Double
  /// Pixels as shown, after rotation.
  public var width: Int
  public var height: Int
  /// Frames per second; `nil` when unknown.
  public var frameRate: Double?
  public var hasVideo: Bool

  public init(durationSeconds: Double, width: Int, height: Int, frameRate: Double?, hasVideo: Bool) {
    self.durationSeconds = durationSeconds
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.hasVideo = hasVideo
  }
}
