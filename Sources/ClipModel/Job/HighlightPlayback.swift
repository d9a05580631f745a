public import Foundation

/// The addresses of a highlight's clips and pictures. The addresses of a highlight that isn't public contain a token, and
/// expire after at most five minutes.
public struct HighlightPlayback: Codable, Equatable, Sendable {
  /// The URLs of one clip.
  public struct Clip: Codable, Equatable, Sendable {
    /// The HLS playlist.
    public var video: String
    /// The clip as one file; `nil` if the user may not download it. Mux may not have created the file.
    public var file: String?
    /// The poster.
    public var thumbnail: String
    /// The animated preview.
    public var animation: String
    /// The index of the preview tiles for seeking.
    public var storyboard: String
  }

  /// The highlight's ID.
  public var id: UUID
  /// Whether the URLs contain tokens.
  public var isSigned: Bool
  /// The clips in order.
  public var clips: [Clip]

  enum CodingKeys: String, CodingKey {
    case id, clips
    case isSigned = "is_signed"
  }
}

/// The response of the backend's function `playback`.
package struct PlaybackResponse: Decodable {
  package var highlights: [HighlightPlayback]
}
