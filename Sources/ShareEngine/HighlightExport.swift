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
    /// Why there is no poster although the row names one.
    public var missingPoster: String?
    /// They were there already, and stayed as they were.
    public var wereThere: Bool
  }

  /// Where a file is, and what its server wants to see.
  public struct Address: Sendable {
    /// Absolute.
    public var url: String
    public var headers: [String: String]

    public init(url: String, headers: [String: String] = [:]) {
      self.url = url
      self.headers = headers
    }
  }

  public init(folder: String, isForced: Bool, transport: any HTTPTransport) {
    self.folder = folder
    self.isForced = isForced
    download = Download(transport: transport)
  }

  /// - Parameters:
  ///   - video: of a file, no playlist.
  /// - Throws: `ShareEngineError` when there is no such file, `DurableFileError`, `CurlError`.
  public func write(_ row: HighlightRow, video: Address, poster: Address?) async throws -> Files {
    // A name that is a UUID would be taken for the original video's.
    let base = "\(folder)/highlight-\(row.highlight.id.uuidString.lowercased())"
    var files = Files(
      clip: base + ".mp4", poster: poster == nil ? nil : base + ".jpg", row: base + ".row.json",
      sidecar: ExportedSidecar.isPossible(row) ? base + ".json" : nil, byteCount: 0, wereThere: true)
    if !isForced, let known = try? FileIdentity.of(files.clip) {
      files.byteCount = known.byteCount
      return files
    }
    files.wereThere = false
    try Folder.create(folder, permissions: 0o755)
    try StagedFile.removeAbandoned(in: folder)
    let clip = try StagedFile(for: files.clip)
    files.byteCount = try await download.file(video.url, to: clip.path, headers: video.headers)
    let sidecar = ExportedSidecar.json(row, clipSHA256: try await FileDigest.sha256(path: clip.path))
    let picture: Data?
    do {
      picture = try await poster.asyncMap { try await download.bytes($0.url, headers: $0.headers) }
    } catch let error where !(error is CancellationError) {
      // The clip is what counts; its picture can be drawn again.
      picture = nil
      files.poster = nil
      files.missingPoster = (error as? any ExplainedError)?.explanation.why ?? "\(error)"
    }
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
  static func isPossible(_ row: HighlightRow) -> Bool {
    row.highlight.localVideoID != nil && row.highlight.localRallyIndex != nil && row.highlight.duration != nil
  }

  /// - Parameter clipSHA256: of the clip beside it: another clip there is another highlight.
  static func json(_ row: HighlightRow, clipSHA256: String) -> Data? {
    let highlight = row.highlight
    guard let videoID = highlight.localVideoID, let index = highlight.localRallyIndex,
      let seconds = highlight.duration
    else { return nil }
    let id = highlight.id.uuidString
    let date = ISODate.parse(highlight.createdAt) ?? Date(timeIntervalSince1970: 0)
    var note: [String: Any] = [
      "mode": "clip", "sourceRallyIndex": index, "highlightId": id, "privacy": highlight.privacy.rawValue,
      "hideLikes": highlight.hideLikes, "clipSHA256": clipSHA256,
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
