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
  public var pictures: [DrawnPicture]
  /// What is no longer there: carriers of location and whole tracks, in words.
  public var removed: [String]
  /// Things worth telling: packets that were damaged, a poster taken elsewhere.
  public var notes: [String]

  public init(
    path: String, byteCount: Int64, sha256: String, probe: ClipProbe, pictures: [DrawnPicture] = [],
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

  /// Jobs that an earlier version stored know of no pictures.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    path = try container.decode(String.self, forKey: .path)
    byteCount = try container.decode(Int64.self, forKey: .byteCount)
    sha256 = try container.decode(String.self, forKey: .sha256)
    probe = try container.decode(ClipProbe.self, forKey: .probe)
    pictures = try container.decodeIfPresent([DrawnPicture].self, forKey: .pictures) ?? []
    removed = try container.decode([String].self, forKey: .removed)
    notes = try container.decode([String].self, forKey: .notes)
  }
}
