import ClipModel

/// The functions that the backend uses to process media. They keep the rest of the backend independent of codecs.
public struct AssetMaker: Sendable {
  /// Reads the properties of the file at `path`. Throws an error if the file is not a readable video, or if none of its
  /// frames can be decoded.
  var inspect: @Sendable (_ path: String) async throws -> AssetProperties
  /// Renders the picture that a URL specifies, and writes it to a new file.
  var drawPicture: @Sendable (_ query: ImageQuery, _ videoPath: String, _ path: String) async throws -> Void
  /// Returns the index of a clip's storyboard. The index contains no URL yet.
  var storyboard: @Sendable (_ videoPath: String) async throws -> Storyboard
  /// Writes a part of a clip, in seconds, to a new MP4 file. The file contains nothing outside the part.
  var trim: @Sendable (_ videoPath: String, _ range: Range<Double>, _ path: String) async throws -> Void
  /// Writes `master.m3u8`, `index.m3u8`, `init.mp4` and `segment0.m4s`… into an existing folder.
  var makeStream: @Sendable (_ videoPath: String, _ folder: String) async throws -> Void
}

/// An error that prevents the server from creating an asset or a rendition.
enum AssetError: Error {
  case rejected(String)
  /// The clip is a readable video, but breaks `AssetRules`.
  case notARally(String)
  /// The uploaded bytes are no longer on disk.
  case bytesMissing
}

/// The properties of an uploaded file that the backend needs. The property names are also the keys in the database.
struct AssetProperties: Codable, Sendable, Equatable {
  var durationSeconds: Double
  /// The displayed size in pixels, after rotation.
  var width: Int
  var height: Int
  /// The frame rate in frames per second; `nil` if it is unknown.
  var frameRate: Double?
  var hasVideo: Bool
  var videoTrackCount: Int
  /// The main audio track; `nil` if the file has no audio.
  var sound: AudioTrack?
  var byteCount: Int64 = 0
  /// The reasons why Mux would transcode the file before playback, keyed by Mux's names. The dictionary is empty if the
  /// file is standard input.
  var nonStandardReasons: [String: String] = [:]
  /// The reasons why Mux would transcode the file if the maximum resolution were 1440p or 2160p.
  var largeNonStandardReasons: [String: String] = [:]

  struct AudioTrack: Codable, Sendable, Equatable {
    var channelCount: Int
    /// The channel layout, such as `stereo`.
    var channelLayout: String?
    var durationSeconds: Double?
  }
}
