/// The absolute URLs of a highlight. URLs of the local backend work only while the backend is running.
package struct HighlightLinks: Equatable, Sendable {
  /// A command or a URL that opens the highlight.
  package var watch: String
  /// The highlight's page, if the backend has pages.
  package var page: String?
  package var video: String
  /// The URLs of all videos in a post, in order. The first URL equals `video`.
  package var videos: [String]?
  package var thumbnail: String?
  /// An animated preview.
  package var animated: String?
}
