extension Explanation {
  /// The same with the file called as a person knows it, where `what` has it by its last parts or by its whole path:
  /// `cannot read clip.mp4` becomes `cannot read season/clip.mp4`.
  /// - Parameters:
  ///   - shown: as it was named.
  ///   - absolutePath: the whole path of it.
  public func naming(_ shown: String, absolutePath: String) -> Explanation {
    let parts = shown.split(separator: "/", omittingEmptySubsequences: true)
    // The longest first: `a/clip.mp4` says more than `clip.mp4`.
    let endings = parts.indices.dropFirst().map { parts[$0...].joined(separator: "/") }
    guard !shown.isEmpty else { return self }
    var named = self
    for name in [absolutePath, shown] + endings {
      // The subject stands behind the verb, which may be called like a folder.
      guard let place = what.ranges(of: name).last(where: { isWord($0, in: what) }) else { continue }
      named.what.replaceSubrange(place, with: shown)
      return named
    }
    return self
  }

  /// It is about a file that is made.
  public var isOfOutput: Bool { what.hasPrefix("cannot write ") }

  /// Nothing of a name goes on at its ends.
  private func isWord(_ range: Range<String.Index>, in text: String) -> Bool {
    let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
    let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
    return " \"'(".contains(before) && " \"'),:".contains(after)
  }
}
