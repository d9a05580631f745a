/// The changes that a remux made to a file.
struct RemuxReport: Equatable, Sendable {
  /// The removed parts, such as `track 3 (subrip): iso6709-text` and `tag LOCATION`.
  private(set) var removed: [String] = []
  /// The number of frames from which a message was removed, keyed by the libav stream index of the source.
  var cutAccessUnits: [Int: Int] = [:]
  /// Notes about harmless parts that were lost, and other remarks.
  private(set) var notes: [String] = []

  mutating func addRemoval(_ description: String) {
    if !removed.contains(description) { removed.append(description) }
  }

  mutating func addNote(_ note: String) {
    if !notes.contains(note) { notes.append(note) }
  }
}
