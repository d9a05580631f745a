package import ClipModel
import DurableFiles
import Foundation
import LibCurl
import Privacy
package import Upload

/// Uploads a single file, unchanged, to an upload URL that the user provides. If the upload stops, a later run resumes
/// it at the offset that the server reports.
package struct FileUpload: Sendable {
  package var byteCount: Int64 { source.byteCount ?? 0 }
  /// The file's path as the user entered it.
  private let file: String
  private let path: String
  private let url: Secret
  private let contentType: String
  private let source: FileSource

  /// - Parameters:
  ///   - file: the file's path as the user entered it.
  ///   - url: the upload URL, which grants access and must be kept secret.
  ///   - contentType: the MIME type, or `nil` to derive it from the file extension.
  /// - Throws: `ShareEngineError` if the file is empty, or `DurableFileError` if it cannot be read.
  package init(file: String, url: Secret, contentType: String?) throws {
    (self.file, self.url) = (file, url)
    path = absolutePath(file)
    self.contentType =
      contentType ?? Self.contentTypes[(path as NSString).pathExtension.lowercased()] ?? "application/octet-stream"
    guard try FileIdentity.of(path).byteCount > 0 else {
      throw ShareEngineError(.emptyFile, ["verb": "upload", "file": file])
    }
    source = try FileSource(path: path)
  }

  private static let contentTypes = [
    "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "qt": "video/quicktime",
    "mkv": "video/x-matroska", "webm": "video/webm",
  ]

  /// Whether the file is a video that contains location data or other data that `strip` removes.
  package func hasLocation() async -> Bool {
    guard MediaFolder.isNamedLikeVideo(path), let report = try? await Auditor.audit(path: path) else { return false }
    return report.found.contains(where: \.carrier.mustBeRemoved)
  }

  /// Uploads the bytes that the server doesn't have yet.
  /// - Parameter progress: receives progress updates on any thread.
  /// - Throws: `ShareEngineError`, for example if the upload to this URL was started with a different file.
  package func run(
    _ environment: EngineEnvironment, progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> UploadReceipt {
    let record = try UploadRecord(url: url, file: path, places: environment.places)
    let uploader = DirectUpload(transport: try environment.transport(), configuration: environment.configuration)
    do {
      let receipt = try await uploader.upload(
        source, to: url.revealed, contentType: contentType, progress: progress)
      try record.removeAfterCompletion()
      return receipt
    } catch let error as UploadError {
      throw ShareEngineError(error.explanation(forFile: file))
    }
  }
}

extension DirectUpload {
  /// Creates an upload that uses the configured retry limits and chunk sizes.
  init(transport: any HTTPTransport, configuration: Configuration) {
    self.init(
      transport: transport, policy: RetryPolicy(budget: .seconds(configuration.uploadRetrySeconds.value)),
      layout: configuration.chunkLayout, deadline: configuration.uploadDeadline.value)
  }
}
