extension Explanation {
  /// The same explanation with the user's name for the input, where it has the whole path or the last parts of it:
  /// `cannot read clip.mp4` becomes `cannot read season/clip.mp4`.
  /// - Parameters:
  ///   - shown: the path as the user wrote it.
  ///   - absolutePath: the whole path.
  public func naming(_ shown: String, absolutePath: String) -> Explanation {
    renaming("file", to: shown, absolutePath: absolutePath)
  }

  /// The same for the output.
  /// - Parameters:
  ///   - shown: the path as the user wrote it.
  ///   - absolutePath: the whole path.
  public func namingOutput(_ shown: String, absolutePath: String) -> Explanation {
    renaming("output", to: shown, absolutePath: absolutePath)
  }

  private func renaming(_ fact: String, to shown: String, absolutePath: String) -> Explanation {
    guard let name = facts[fact], name == absolutePath || "/\(shown)".hasSuffix("/\(name)") else { return self }
    var named = self
    named.facts[fact] = shown
    // The file comes after the verb, which may be a name too.
    if let range = what.ranges(of: name).last { named.what.replaceSubrange(range, with: shown) }
    return named
  }
}
