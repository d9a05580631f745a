/// A processed and verified clip without location data, and its pictures.
public struct ProcessedClip: Codable, Equatable, Sendable {
  /// The absolute path of the processed file.
  public var path: String
  /// The file size in bytes.
  public var byteCount: Int64
  /// The SHA-256 hash in lowercase hexadecimal.
  public var sha256: String
  /// The properties of the processed file.
  public var probe: ClipProbe
  /// The pictures that were rendered. `notes` explains why any others are missing.
  public var pictures: [RenderedPicture]
  /// Descriptions of the location data and tracks that were removed.
  public var removed: [String]
  /// Notes for the user, such as damaged packets or a changed poster time.
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
