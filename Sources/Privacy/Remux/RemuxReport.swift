/// The changes that a remux made.
struct RemuxReport: Equatable, Sendable {
  /// Removed parts: `track 3 (subrip): iso6709-text`, `tag LOCATION`.
  private(set) var removed: [String] = []
  /// The number of frames that lost a message, by libav's stream index of the source.
  var cutAccessUnits: [Int: Int] = [:]
  /// Notes about lost harmless parts, and other remarks.
  private(set) var notes: [String] = []

  mutating func addRemoval(_ description: String) {
    if !removed.contains(description) { removed.append(description) }
  }

  mutating func addNote(_ note: String) {
    if !notes.contains(note) { notes.append(note) }
  }
}
