package import ClipModel
import DurableFiles
import Foundation
import Privacy
package import Upload

/// Sends one file as it is to an upload URL that the user has. Run again after an interruption, it continues where the
/// server is.
package struct FileUpload: Sendable {
  package var byteCount: Int64 { source.byteCount ?? 0 }
  /// As it was named.
  private let file: String
  private let path: String
  private let url: Secret
  private let contentType: String
  private let source: FileSource

  /// - Parameters:
  ///   - file: as it was named.
  ///   - url: the upload URL, which is the credential.
  ///   - contentType: `nil` for the one of the file's name.
  /// - Throws: `ShareEngineError` for an empty file, `DurableFileError`.
  package init(file: String, url: Secret, contentType: String?) throws {
    (self.file, self.url) = (file, url)
    path = absolutePath(file)
    self.contentType = contentType ?? Self.contentType(of: path)
    guard try FileIdentity.of(path).byteCount > 0 else {
      throw ShareEngineError(.emptyFile, ["verb": "upload", "file": file])
    }
    source = try FileSource(path: path)
  }

  /// It is a video that contains location data, or other data that `strip` removes.
  package func hasLocation() async -> Bool {
    guard MediaFolder.isNamedLikeVideo(path), let report = try? await Auditor.audit(path: path) else { return false }
    return report.found.contains(where: \.carrier.mustGo)
  }

  /// Sends what the server does not have yet.
  /// - Parameter progress: called on any thread.
  /// - Throws: `ShareEngineError`, also when the upload to this URL was begun with another file.
  package func run(
    _ environment: EngineEnvironment, progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> UploadReceipt {
    let configuration = environment.configuration
    let record = try UploadRecord(url: url, file: path, places: environment.places)
    let uploader = DirectUpload(
      transport: try environment.transport(),
      policy: RetryPolicy(budget: .seconds(configuration.uploadRetrySeconds.value)),
      layout: configuration.chunkLayout)
    do {
      // An earlier run may have sent a part: the server knows how much.
      let receipt = try await uploader.upload(
        source, session: UploadSession(uploadID: "", byteCount: byteCount, confirmedOffset: 0, expiresAt: 0),
        start: .resumed, contentType: contentType, resolveURL: { url.revealed }, save: { _ in }, progress: progress)
      try record.finish()
      return receipt
    } catch let error as UploadError {
      throw ShareEngineError(error.explanation(for: .file(name: file)))
    }
  }

  private static func contentType(of path: String) -> String {
    switch (path as NSString).pathExtension.lowercased() {
    case "mp4", "m4v": "video/mp4"
    case "mov", "qt": "video/quicktime"
    case "mkv": "video/x-matroska"
    case "webm": "video/webm"
    default: "application/octet-stream"
    }
  }
}
