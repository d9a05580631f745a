package import ClipModel
import DurableFiles
import Foundation
package import Highlights
package import LibCurl

/// Writes highlights as files that can be shared again somewhere else: clip, poster, row and rally metadata.
///
/// A highlight is written whole or not at all: the clip, which is the file that people share, appears last.
package struct HighlightExport: Sendable {
  /// Behind the clip's name without its extension: the whole row.
  static let rowEnding = ".row.json"

  /// Absolute; made when it is missing.
  package var folder: String
  /// What was exported before is written again.
  package var isForced: Bool
  private let download: Download

  /// What became of a highlight: absolute paths.
  package struct Files: Sendable, Equatable {
    package var clip: String
    /// Of a post of several rallies: the clips behind the first.
    package var others: [String]
    package var poster: String?
    package var row: String
    /// Of the first clip; `nil` for a highlight that was shared without rally metadata.
    package var sidecar: String?
    /// Of all clips.
    package var byteCount: Int64
    /// Why there is no poster although the row names one.
    package var missingPoster: String?
    /// They were there already, and stayed as they were.
    package var wereThere: Bool
  }

  /// Where a file is, and what its server wants to see.
  package struct Address: Sendable {
    /// Absolute.
    package var url: String
    package var headers: [String: String]

    package init(url: String, headers: [String: String] = [:]) {
      self.url = url
      self.headers = headers
    }
  }

  package init(folder: String, isForced: Bool, transport: any HTTPTransport) {
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.isForced = isForced
    download = Download(transport: transport)
  }

  /// - Parameters:
  ///   - videos: of files, no playlists; in order, at least one.
  ///   - drafts: what the clips were uploaded with, as far as somebody knows; a post of several needs them for metadata.
  /// - Throws: `ShareEngineError` when there is no such file, `DurableFileError`, `CurlError`.
  package func write(
    _ row: HighlightRow, videos: [Address], poster: Address?, drafts: [HighlightDraft] = []
  ) async throws -> Files {
    // A name that is a UUID would be taken for the original video's.
    let base = "\(folder)/highlight-\(row.highlight.id.uuidString.lowercased())"
    let bases = videos.indices.map { $0 == 0 ? base : "\(base)-\($0 + 1)" }
    let sidecars = ExportedSidecar.all(of: row, clipCount: videos.count, drafts: drafts)
    var files = Files(
      clip: base + ".mp4", others: bases.dropFirst().map { $0 + ".mp4" },
      poster: poster == nil ? nil : base + ".jpg", row: base + Self.rowEnding,
      sidecar: sidecars.first.flatMap { $0 } == nil ? nil : base + ".json", byteCount: 0, wereThere: true)
    let known = bases.compactMap { try? FileIdentity.of($0 + ".mp4") }
    if !isForced, known.count == bases.count {
      files.byteCount = known.map(\.byteCount).reduce(0, +)
      return files
    }
    files.wereThere = false
    try Folder.create(folder, permissions: 0o755)
    try StagedFile.removeAbandoned(in: folder)
    files.byteCount = try await fetch(zip(zip(videos, bases), sidecars).map { ($0.0, $0.1, $1) }[...]) {
      // Every clip is here.
      do {
        let picture = try await poster.asyncMap { try await download.bytes($0.url, headers: $0.headers) }
        if let path = files.poster, let picture { try DurableFile.write(picture, to: path) }
      } catch let error where !(error is CancellationError) && !(error is DurableFileError) {
        // The clip is what counts; its picture can be drawn again.
        files.poster = nil
        files.missingPoster = (error as? any ExplainedError)?.explanation.why ?? "\(error)"
      }
      try DurableFile.write(row.json, to: files.row)
    }
    return files
  }

  /// Fetches all clips before one of them appears; the first appears last, each behind its metadata.
  /// - Parameter finish: done when every clip is here.
  /// - Returns: the sum of their bytes.
  private func fetch(
    _ clips: ArraySlice<(video: Address, base: String, sidecar: ExportedSidecar?)>,
    then finish: () async throws -> Void
  ) async throws -> Int64 {
    guard let first = clips.first else {
      try await finish()
      return 0
    }
    let clip = try StagedFile(for: first.base + ".mp4")
    let bytes = try await download.file(first.video.url, to: clip.path, headers: first.video.headers)
    let metadata = first.sidecar?.json(clipSHA256: try await FileDigest.sha256(path: clip.path))
    let others = try await fetch(clips.dropFirst(), then: finish)
    if let metadata { try DurableFile.write(metadata, to: first.base + ".json") }
    try clip.commit(replacing: .replace)
    return bytes + others
  }
}

extension Optional {
  fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
    if let value = self { try await transform(value) } else { nil }
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
