/// Hashtags of a caption.
public enum CaptionTags {
  /// Every `#word`, lower-cased, without the `#`, in order, each once.
  ///
  /// The same expression as in the app, so that both find the same tags; only the app keeps duplicates. Letters, digits
  /// and `_` of any script belong to a word: `#été`, `#排球`, `#2v2`.
  public static func tags(in caption: String) -> [String] {
    var known: Set<String> = []
    return caption.matches(of: /#(\w+)/)
      .map { $0.output.1.lowercased() }
      .filter { known.insert($0).inserted }
  }
}
