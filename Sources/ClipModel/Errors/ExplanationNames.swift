extension Explanation {
  /// Replaces the path of a file, or its last components, with the path that the user entered: `cannot read clip.mp4`
  /// becomes `cannot read season/clip.mp4`.
  /// - Parameters:
  ///   - shown: the path that the user entered.
  ///   - absolutePath: the absolute path.
  ///   - fact: `file` for the input or `output` for the output.
  public func naming(_ shown: String, absolutePath: String, fact: String = "file") -> Explanation {
    guard let name = facts[fact], name == absolutePath || "/\(shown)".hasSuffix("/\(name)") else { return self }
    var named = self
    named.facts[fact] = shown
    // The file comes after the verb, which may be identical to the file name.
    if let range = what.ranges(of: name).last { named.what.replaceSubrange(range, with: shown) }
    return named
  }
}
