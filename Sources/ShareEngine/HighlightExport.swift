import ClipModel
import DurableFiles
import Foundation
public import Highlights
public import LibCurl

/// Writes highlights as files that can be shared again somewhere else: clip, poster, row and rally metadata.
///
/// A highlight is written whole or not at all: the clip, which is the file that people share, appears last.
public struct HighlightExport: Sendable {
  /// Absolute; made when it is missing.
  public var folder: String
  /// What was exported before is written again.
  public var isForced: Bool
  private let download: Download

  /// What became of a highlight: absolute paths.
  public struct Files: Sendable, Equatable {
    public var clip: String
    public var poster: String?
    public var row: String
    /// `nil` for a highlight that was shared without rally metadata.
    public var sidecar: String?
    public var byteCount: Int64
    /// They were there already, and stayed as they were.
    public var wereThere: Bool
  }

  public init(folder: String, isForced: Bool, transport: any HTTPTransport) {
    self.folder = folder
    self.isForced = isForced
    download = Download(transport: transport)
  }

  /// - Parameters:
  ///   - video: absolute address of a file, no playlist.
  ///   - headers: for both addresses.
  /// - Throws: `ShareEngineError` when there is no such file, `DurableFileError`, `CurlError`.
  public func write(_ row: HighlightRow, video: String, poster: String?, headers: [String: String]) async throws
    -> Files
  {
    // A name that is a UUID would be taken for the original video's.
    let base = "\(folder)/highlight-\(row.highlight.id.uuidString.lowercased())"
    let sidecar = ExportedSidecar.json(row)
    var files = Files(
      clip: base + ".mp4", poster: poster == nil ? nil : base + ".jpg", row: base + ".row.json",
      sidecar: sidecar == nil ? nil : base + ".json", byteCount: 0, wereThere: true)
    if !isForced, let known = try? FileIdentity.of(files.clip) {
      files.byteCount = known.byteCount
      return files
    }
    files.wereThere = false
    try Folder.create(folder, permissions: 0o755)
    try StagedFile.removeAbandoned(in: folder)
    let clip = try StagedFile(for: files.clip)
    files.byteCount = try await download.file(video, to: clip.path, headers: headers)
    let picture = try await poster.asyncMap { try await download.bytes($0, headers: headers) }
    // Everything is here: from now on only this machine can fail.
    if let path = files.poster, let picture { try DurableFile.write(picture, to: path) }
    if let path = files.sidecar, let sidecar { try DurableFile.write(sidecar, to: path) }
    try DurableFile.write(row.json, to: files.row)
    try clip.commit(replacing: .replace)
    return files
  }
}

extension Optional {
  fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
    if let value = self { try await transform(value) } else { nil }
  }
}

/// The metadata of a clip that is its rally, as the app writes it, with what bsc needs to share it again.
enum ExportedSidecar {
  /// `nil` when the row names no rally: metadata is not made up.
  static func json(_ row: HighlightRow) -> Data? {
    let highlight = row.highlight
    guard let videoID = highlight.localVideoID, let index = highlight.localRallyIndex,
      let seconds = highlight.duration
    else { return nil }
    let id = highlight.id.uuidString
    let date = ISODate.parse(highlight.createdAt) ?? Date(timeIntervalSince1970: 0)
    var note: [String: Any] = [
      "mode": "clip", "sourceRallyIndex": index, "highlightId": id, "privacy": highlight.privacy.rawValue,
      "hideLikes": highlight.hideLikes,
    ]
    if let caption = highlight.caption { note["caption"] = caption }
    let segment: [String: Any] = [
      "id": id, "startTime": 0, "endTime": seconds, "confidence": row.confidence, "quality": row.quality,
      "detectionCount": row.detectionCount, "averageTrajectoryLength": 0,
    ]
    let document: [String: Any] = [
      "id": id, "videoId": videoID.uuidString, "processingVersion": "1.0",
      "processingDate": date.formatted(.iso8601), "rallySegments": [segment], "bsc": note,
    ]
    return try? JSONSerialization.data(
      withJSONObject: document, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
  }
}

/// ISO 8601 with zone, with or without fractions of a second.
enum ISODate {
  static func parse(_ text: String) -> Date? {
    [false, true].lazy.compactMap {
      try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: $0))
    }.first
  }
}
