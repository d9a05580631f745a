/// What a strip by remuxing did.
package struct RemuxReport: Equatable, Sendable {
  /// What is not in the copy: `track 3 (subrip): iso6709-text`, `tag LOCATION`.
  package internal(set) var removed: [String] = []
  /// By the libav stream index of the source: pictures out of which a message had to be cut.
  package internal(set) var cutAccessUnits: [Int: Int] = [:]
  /// Harmless things that the copy does not have, and other remarks.
  package internal(set) var notes: [String] = []

  package init() {}

  mutating func remove(_ words: String) {
    if !removed.contains(words) { removed.append(words) }
  }

  mutating func note(_ words: String) {
    if !notes.contains(words) { notes.append(words) }
  }
}
