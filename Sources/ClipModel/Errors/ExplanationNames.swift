extension Explanation {
  /// Replaces a file's path, or its last components, with the path that the user entered: `cannot read clip.mp4`
  /// becomes `cannot read season/clip.mp4`.
  /// - Parameters:
  ///   - shown: the path that the user entered.
  ///   - absolutePath: the absolute path of the same file.
  ///   - fact: the key of the path in `facts`: `file` for the input or `output` for the output.
  public func replacingPath(_ shown: String, absolutePath: String, fact: String = "file") -> Explanation {
    guard let name = facts[fact], name == absolutePath || "/\(shown)".hasSuffix("/\(name)") else { return self }
    var named = self
    named.facts[fact] = shown
    // Replace the last occurrence: the file name follows the verb, and the two may be identical.
    if let range = what.ranges(of: name).last { named.what.replaceSubrange(range, with: shown) }
    return named
  }
}
