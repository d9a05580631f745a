/// A clip that is ready to be sent: verified, without location, with its pictures.
public struct ProcessedClip: Codable, Equatable, Sendable {
  /// Absolute path.
  public var path: String
  /// Bytes of the file.
  public var byteCount: Int64
  /// SHA-256, lower-case hexadecimal.
  public var sha256: String
  /// What the output is, read from the output.
  public var probe: ClipProbe
  /// Those that could be drawn; for others the reason is in `notes`.
  public var pictures: [RenderedPicture]
  /// What is no longer there: carriers of location and whole tracks, in words.
  public var removed: [String]
  /// Things worth telling: packets that were damaged, a poster taken elsewhere.
  public var notes: [String]

  public init(
    path: String, byteCount: Int64, sha256: String, probe: ClipProbe, pictures: [RenderedPicture] = [],
    removed: [String] = [], notes: [String] = []
  ) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.probe = probe
    self.pictures = pictures
    self.removed = removed
    self.notes = notes
  }
}
