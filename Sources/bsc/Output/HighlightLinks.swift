/// Where people see a highlight. Absolute addresses; those of the local backend hold while it runs.
struct HighlightLinks: Equatable, Sendable {
  /// What shows it to somebody who has nothing else: a command, or an address.
  var watch: String
  /// A page of its own, where the backend has pages.
  var page: String?
  var video: String
  /// Of a post of several rallies: all of them in order, `video` being the first.
  var videos: [String]?
  var thumbnail: String?
  /// A moving preview.
  var animated: String?
}
