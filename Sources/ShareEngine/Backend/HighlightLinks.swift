/// The absolute URLs of a highlight. URLs of the local backend work only while the backend is running. URLs of a video
/// that isn't public contain a token, which expires after five minutes.
package struct HighlightLinks: Equatable, Sendable {
  /// The URL that opens the highlight; `nil` if the program's commands have to open it.
  package var watch: String?
  /// The highlight's page, if the backend has pages.
  package var page: String?
  /// `nil` while the backend changes who can watch the video.
  package var video: String?
  /// The URLs of all videos in a post, in order. The first URL equals `video`.
  package var videos: [String]?
  package var thumbnail: String?
  /// An animated preview.
  package var animated: String?
}
