import ClipModel
import DurableFiles
import Foundation
import Highlights
package import LibCurl

/// Writes highlights to files that can be shared again on any machine: clips, poster, database row and rally metadata.
///
/// An export is either complete or absent, because the first clip appears last.
package struct HighlightExport: Sendable {
  /// The suffix of the database row's file name. It follows the clip's name without its extension.
  static let rowEnding = ".row.json"

  /// The absolute path of the output folder. The folder is created if necessary.
  private let folder: String
  private let replacesFiles: Bool
  private let download: Download

  /// The absolute paths of an exported highlight's files.
  package struct ExportedFiles: Sendable, Equatable {
    package var clip: String
    /// The paths of a post's other clips.
    package var others: [String]
    package var poster: String?
    package var row: String
    /// The path of the first clip's rally metadata, or `nil` if the highlight has no metadata.
    package var sidecar: String?
    /// The total size of all clips, in bytes.
    package var byteCount: Int64 = 0
    /// The reason that the poster could not be downloaded, or `nil` if there was no error.
    package var missingPoster: String?
    /// Whether the files already existed and were left unchanged.
    package var alreadyExisted = false
  }

  /// An absolute URL and the HTTP headers for its server.
  struct DownloadAddress: Sendable {
    var url: String
    var headers: [String: String] = [:]
  }

  package init(folder: String, replacesFiles: Bool, transport: any HTTPTransport) {
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.replacesFiles = replacesFiles
    download = Download(transport: transport)
  }

  /// - Parameters:
  ///   - videos: the URLs of the clips in order, at least one. The URLs must be files, not playlists.
  ///   - drafts: the known drafts of the clips. They contain the rally metadata of a post.
  /// - Throws: `ShareEngineError` if a clip is missing, `DurableFileError` if a file cannot be written, or `CurlError`
  ///   if a download fails.
  func write(
    _ row: HighlightRow, videos: [DownloadAddress], poster: DownloadAddress?, drafts: [HighlightDraft]
  ) async throws -> ExportedFiles {
    // Add a prefix, because a file name that is only a UUID would refer to the original video.
    let base = "\(folder)/highlight-\(row.highlight.id.uuidString.lowercased())"
    let bases = videos.indices.map { $0 == 0 ? base : "\(base)-\($0 + 1)" }
    let sidecars = ExportedSidecar.makeSidecars(for: row, clipCount: videos.count, drafts: drafts)
    var files = ExportedFiles(
      clip: base + ".mp4", others: bases.dropFirst().map { $0 + ".mp4" },
      poster: poster == nil ? nil : base + ".jpg", row: base + Self.rowEnding,
      sidecar: sidecars.first.flatMap(\.self) == nil ? nil : base + ".json")
    let existing = bases.compactMap { try? FileIdentity.of($0 + ".mp4") }
    if !replacesFiles, existing.count == bases.count {
      files.byteCount = existing.map(\.byteCount).reduce(0, +)
      files.alreadyExisted = true
      return files
    }
    try Folder.create(folder, permissions: 0o755)
    try StagedFile.removeAbandoned(in: folder)
    let clips = videos.indices.map { (video: videos[$0], base: bases[$0], sidecar: sidecars[$0]) }
    files.byteCount = try await writeClips(clips[...]) {
      if let poster, let path = files.poster {
        do {
          let picture = try await download.fetchResponse(poster.url, headers: poster.headers)
          try DurableFile.write(Data(picture.body), to: path)
        } catch let error where !(error is CancellationError) && !(error is DurableFileError) {
          // Ignore the error, because an export without a poster is still usable.
          files.poster = nil
          files.missingPoster = (error as? any ExplainedError)?.explanation.why ?? "\(error)"
        }
      }
      try DurableFile.write(row.json, to: files.row)
    }
    return files
  }

  /// Downloads all clips before the first file appears. The clips then appear in reverse order, each after its
  /// metadata.
  /// - Parameter writeOtherFiles: called after all clips have been downloaded.
  /// - Returns: the total size of all clips, in bytes.
  private func writeClips(
    _ clips: ArraySlice<(video: DownloadAddress, base: String, sidecar: ExportedSidecar?)>,
    writeOtherFiles: () async throws -> Void
  ) async throws -> Int64 {
    guard let first = clips.first else {
      try await writeOtherFiles()
      return 0
    }
    let clip = try StagedFile(for: first.base + ".mp4")
    let byteCount = try await download.downloadFile(first.video.url, to: clip.path, headers: first.video.headers)
    let metadata = first.sidecar?.encode(clipSHA256: try await FileDigest.sha256(path: clip.path))
    let otherByteCount = try await writeClips(clips.dropFirst(), writeOtherFiles: writeOtherFiles)
    if let metadata { try DurableFile.write(metadata, to: first.base + ".json") }
    try clip.commit(replacing: .replace)
    return byteCount + otherByteCount
  }
}
