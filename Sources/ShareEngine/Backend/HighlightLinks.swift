/// Where people see a highlight. Absolute addresses; those of the local backend hold while it runs.
package struct HighlightLinks: Equatable, Sendable {
  /// What shows it to somebody who has nothing else: a command, or an address.
  package var watch: String
  /// A page of its own, where the backend has pages.
  package var page: String?
  package var video: String
  /// Of a post of several rallies: all of them in order, `video` being the first.
  package var videos: [String]?
  package var thumbnail: String?
  /// A moving preview.
  package var animated: String?
}
