public import ClipModel

/// An author's edit of a highlight. Properties that are `nil` stay unchanged.
public struct HighlightChange: Encodable, Equatable, Sendable {
  /// The new caption. An empty string removes the existing caption.
  public var caption: String?
  /// The hashtags of the new caption.
  public var tags: [String]?
  /// Who can see the highlight.
  public var privacy: PrivacyLevel?
  /// Whether to hide the number of likes from other users.
  public var hideLikes: Bool?
  /// Whether others may save the video as a file.
  public var allowsDownloads: Bool?

  /// Creates an edit. Like sharing a clip, it extracts the hashtags from the caption.
  public init(
    caption: String? = nil, privacy: PrivacyLevel? = nil, hideLikes: Bool? = nil, allowsDownloads: Bool? = nil
  ) {
    self.caption = caption
    tags = caption.map(CaptionTags.extractHashtags(in:))
    self.privacy = privacy
    self.hideLikes = hideLikes
    self.allowsDownloads = allowsDownloads
  }

  /// Whether the edit changes nothing.
  public var isEmpty: Bool { self == HighlightChange() }

  private enum CodingKeys: String, CodingKey {
    case caption, tags
    case privacy = "privacy_level"
    case hideLikes = "hide_likes"
    case allowsDownloads = "allow_downloads"
  }

  /// Encodes an empty caption as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let caption { try container.encode(caption.isEmpty ? nil : caption, forKey: .caption) }
    try container.encodeIfPresent(tags, forKey: .tags)
    try container.encodeIfPresent(privacy, forKey: .privacy)
    try container.encodeIfPresent(hideLikes, forKey: .hideLikes)
    try container.encodeIfPresent(allowsDownloads, forKey: .allowsDownloads)
  }
}
