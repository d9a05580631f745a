import ClipModel

/// The media work of the backend, handed in so that this target knows nothing of codecs.
public struct AssetMaker: Sendable {
  /// Reads the facts of the file at a path; throws when it is no readable video.
  package var inspect: @Sendable (_ path: String) async throws -> AssetFacts
  /// Draws the picture of `videoPath` at a time in seconds into a new JPEG file.
  package var drawThumbnail:
    @Sendable (_ videoPath: String, _ jpegPath: String, _ atSeconds: Double) async throws -> Void

  /// Draws what a URL of a picture asks for into a new file.
  var drawPicture: @Sendable (_ wanted: ImageQuery, _ videoPath: String, _ path: String) async throws -> Void = {
    _, _, _ in throw Refused.reason("this server draws no pictures")
  }
  /// The index of a clip's storyboard, without its URL.
  var storyboard: @Sendable (_ videoPath: String) async throws -> Storyboard = { _ in
    throw Refused.reason("this server draws no pictures")
  }
  /// Writes `master.m3u8`, `index.m3u8`, `init.mp4` and `segment0.m4s`… into a folder that exists.
  var makeStream: @Sendable (_ videoPath: String, _ folder: String) async throws -> Void = { _, _ in
    throw Refused.reason("this server makes no streams")
  }

  /// Why something cannot be made of a clip that is otherwise fine.
  enum Refused: Error { case reason(String) }

  package init(
    inspect: @escaping @Sendable (_ path: String) async throws -> AssetFacts,
    drawThumbnail:
      @escaping @Sendable (_ videoPath: String, _ jpegPath: String, _ atSeconds: Double) async throws -> Void
  ) {
    self.inspect = inspect
    self.drawThumbnail = drawThumbnail
  }
}

/// What the backend needs to know of an uploaded file.
package struct AssetFacts: Codable, Sendable, Equatable {
  package var durationSeconds: Double
  /// Pixels as shown, after rotation.
  package var width: Int
  package var height: Int
  /// Frames per second; `nil` when unknown.
  package var frameRate: Double?
  package var hasVideo: Bool
  /// The track that is played; `nil` without one.
  package var sound: Sound?
  package var byteCount: Int64 = 0
  /// Why Mux would transcode it first, by Mux's own keys; empty for standard input.
  package var nonStandardReasons: [String: String] = [:]
  /// The same when 1440p or 2160p was asked for.
  package var largeNonStandardReasons: [String: String] = [:]

  package struct Sound: Codable, Sendable, Equatable {
    package var channelCount: Int
    /// `stereo`
    package var channelLayout: String?
    package var durationSeconds: Double?

    package init(channelCount: Int, channelLayout: String?, durationSeconds: Double?) {
      self.channelCount = channelCount
      self.channelLayout = channelLayout
      self.durationSeconds = durationSeconds
    }
  }

  package init(durationSeconds: Double, width: Int, height: Int, frameRate: Double?, hasVideo: Bool) {
    self.durationSeconds = durationSeconds
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.hasVideo = hasVideo
  }
}
