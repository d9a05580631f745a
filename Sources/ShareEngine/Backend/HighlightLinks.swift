/// The absolute URLs of a highlight. URLs of the local backend work only while it runs.
package struct HighlightLinks: Equatable, Sendable {
  /// A command or a URL that shows the highlight.
  package var watch: String
  /// The highlight's page, if the backend has pages.
  package var page: String?
  package var video: String
  /// All videos of a post in order, starting with `video`.
  package var videos: [String]?
  package var thumbnail: String?
  /// An animated preview.
  package var animated: String?
}
