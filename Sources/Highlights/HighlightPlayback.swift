public import Foundation

/// The addresses of a highlight's clips and pictures. The addresses of a highlight that isn't public contain a token, and
/// expire after at most five minutes.
public struct HighlightPlayback: Decodable, Equatable, Sendable {
  public struct Clip: Decodable, Equatable, Sendable {
    /// The HLS playlist.
    public var video: String
    /// The clip as one file; `nil` if the user may not download it. Mux may not have created the file.
    public var file: String?
    public var thumbnail: String
    public var animation: String
    public var storyboard: String
  }

  public var id: UUID
  public var isSigned: Bool
  /// The clips in order.
  public var clips: [Clip]

  enum CodingKeys: String, CodingKey {
    case id, clips
    case isSigned = "is_signed"
  }
}

/// The response of the backend's function `playback`.
struct PlaybackResponse: Decodable {
  var highlights: [HighlightPlayback]
}
