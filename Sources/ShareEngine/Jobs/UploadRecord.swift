import ClipModel
import Crypto
import DurableFiles
import Foundation

/// Records which file is uploaded to a URL that the user provides, so that a later run doesn't resume the upload with a
/// different file. While this value exists, no other process of the same user can upload to the URL.
///
/// The record's file name contains a digest of the URL. The URL itself is not stored.
struct UploadRecord: ~Copyable {
  private let path: String
  private let lock: FileLock

  private struct RecordContents: Codable, Equatable {
    var byteCount: Int64
    /// The SHA-256 of the first and last MiB. It is fast to compute for files of any size, and differs between
    /// different videos.
    var ends: String
  }

  /// Resumable upload sessions in Google Cloud Storage expire after one week.
  private static let keptSeconds: TimeInterval = 8 * 86_400

  /// - Parameters:
  ///   - url: the upload URL, which grants access and must be kept secret.
  ///   - file: the path of the file to upload.
  /// - Throws: `ShareEngineError` in the category `locked` if another process is uploading to the URL, or in the
  ///   category `rejected` if an earlier run started with a different file. `DurableFileError` if the record cannot be
  ///   read or written.
  init(url: Secret, file: String, places: ApplicationFolders) throws {
    let folder = places.uploadsFolder
    try Folder.create(places.stateFolder)
    try Folder.create(folder)
    Self.removeExpiredRecords(in: folder)
    let name = FileDigest.hexadecimal(SHA256.hash(data: Data(url.revealed.utf8)).prefix(16))
    let (path, lockPath) = ("\(folder)/\(name).json", "\(folder)/\(name).lock")
    let contents = RecordContents(
      byteCount: try FileIdentity.of(file).byteCount, ends: try Self.hashFirstAndLastBytes(of: file))
    let fileName = (file as NSString).lastPathComponent
    guard let lock = try FileLock(path: lockPath) else {
      throw ShareEngineError(.uploadLocked, ["file": fileName, "holder": FileLock.describeHolder(of: lockPath)])
    }
    let known = try PrivateFile.read(path, limit: 4096).flatMap {
      try? JSONDecoder().decode(RecordContents.self, from: $0)
    }
    guard known == nil || known == contents else { throw ShareEngineError(.uploadOtherFile, ["file": fileName]) }
    if known == nil { try PrivateFile.write(try JSONEncoder().encode(contents), to: path) }
    self.path = path
    self.lock = lock
  }

  /// Removes the record after the upload is complete.
  consuming func removeAfterCompletion() throws {
    try DurableFile.remove(path)
    lock.releaseAndRemove()
  }

  private static func hashFirstAndLastBytes(of file: String) throws -> String {
    let handle = try FileHandle(forReadingFrom: URL(filePath: file))
    defer { try? handle.close() }
    let part = 1 << 20
    var hasher = SHA256()
    hasher.update(data: try handle.read(upToCount: part) ?? Data())
    let size = try handle.seekToEnd()
    try handle.seek(toOffset: size > UInt64(part) ? size - UInt64(part) : 0)
    hasher.update(data: try handle.read(upToCount: part) ?? Data())
    return FileDigest.hexadecimal(hasher.finalize())
  }

  private static func removeExpiredRecords(in folder: String) {
    let limit = Int64((Date().timeIntervalSince1970 - keptSeconds) * 1e9)
    for name in (try? Folder.names(in: folder)) ?? [] {
      let old = "\(folder)/\(name)"
      if let identity = try? FileIdentity.of(old), identity.modifiedNanoseconds < limit { try? DurableFile.remove(old) }
    }
  }
}
