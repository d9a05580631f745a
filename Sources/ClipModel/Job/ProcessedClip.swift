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
  /// The kinds of data that were removed, one for each place or track; `nil` in jobs that were stored without them.
  public var removedData: [RemovedData]?
  /// Notes for the user, such as damaged packets or a changed poster time.
  public var notes: [ProcessingNote]

  public init(
    path: String, byteCount: Int64, sha256: String, probe: ClipProbe, pictures: [RenderedPicture] = [],
    removed: [String] = [], removedData: [RemovedData]? = nil, notes: [ProcessingNote] = []
  ) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.probe = probe
    self.pictures = pictures
    self.removed = removed
    self.removedData = removedData
    self.notes = notes
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    path = try container.decode(String.self, forKey: .path)
    byteCount = try container.decode(Int64.self, forKey: .byteCount)
    sha256 = try container.decode(String.self, forKey: .sha256)
    probe = try container.decode(ClipProbe.self, forKey: .probe)
    pictures = try container.decode([RenderedPicture].self, forKey: .pictures)
    removed = try container.decode([String].self, forKey: .removed)
    removedData = try container.decodeIfPresent([RemovedData].self, forKey: .removedData)
    // Earlier versions stored only the texts.
    if let texts = try? container.decode([String].self, forKey: .notes) {
      notes = texts.map { .earlier(text: $0) }
    } else {
      notes = try container.decode([ProcessingNote].self, forKey: .notes)
    }
  }

  private enum CodingKeys: CodingKey { case path, byteCount, sha256, probe, pictures, removed, removedData, notes }
}
