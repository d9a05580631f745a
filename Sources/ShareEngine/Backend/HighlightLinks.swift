/// The absolute addresses of a highlight. Those of the local backend work while it runs.
package struct HighlightLinks: Equatable, Sendable {
  /// A command or an address that shows the highlight.
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
