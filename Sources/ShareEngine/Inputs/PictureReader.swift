import ClipModel
import DurableFiles
import Foundation

/// Reads pictures that are stored in the backend.
enum PictureReader {
  /// The metadata of a picture can be larger than the picture.
  private static let byteLimit = 32 << 20

  /// Returns the picture in a file, without its metadata.
  /// - Throws: `DurableFileError`, or `ShareEngineError` if the file is not a picture.
  static func read(_ path: String) async throws -> StillPicture {
    let bytes = try await WorkerThread.run("bsc picture") { _ in try DurableFile.read(path, limit: byteLimit) }
    guard let picture = StillPicture(removingMetadataFrom: Array(bytes)) else {
      throw ShareEngineError(.pictureUnreadable, ["path": path])
    }
    return picture
  }
}
