import ShareEngine

/// `junit=report.xml` on the command line: a kind of report, and its file.
enum ReportArgument {
  /// - Parameter endings: names of files that say which kind is meant.
  /// - Throws: `ArgumentFault`.
  static func read<Kind: RawRepresentable<String> & CaseIterable>(
    _ text: String, endings: [String: Kind]
  ) throws -> (kind: Kind, path: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let kinds = Kind.allCases.map(\.rawValue)
    guard parts.count == 2 else {
      let ending = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
      if kinds.contains(text) { throw ArgumentFault(value: text, why: "it names no file", next: "write \(text)=FILE") }
      throw ArgumentFault(
        value: text, why: "it does not say which kind of report goes there",
        next: endings[ending].map { "did you mean \($0.rawValue)=\(text)?" } ?? all(kinds))
    }
    guard let kind = Kind(rawValue: parts[0]) else {
      let nearest = SpellingSuggestion.nearest(to: parts[0].lowercased(), among: kinds)
      throw ArgumentFault(
        value: text, why: "there is no such kind of report",
        next: nearest.map { "did you mean \($0)=\(parts[1])?" } ?? all(kinds))
    }
    guard !parts[1].isEmpty else {
      throw ArgumentFault(value: text, why: "it names no file", next: "write \(kind.rawValue)=FILE")
    }
    return (kind, parts[1])
  }

  private static func all(_ kinds: [String]) -> String {
    let others = kinds.dropLast().joined(separator: ", ")
    return "write KIND=FILE; the kinds are \(others) and \(kinds[kinds.count - 1])"
  }
}
