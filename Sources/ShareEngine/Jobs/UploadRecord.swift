import ClipModel
import Crypto
import DurableFiles
import Foundation

/// What an upload to a URL that somebody gave began with, so that a later run does not go on with another file.
///
/// The URL is not in it: its digest gives the record its name. While the value lives, no other process of this user
/// sends to the same URL.
package struct UploadRecord: ~Copyable {
  private let path: String
  private let lock: FileLock

  private struct Contents: Codable, Equatable {
    var byteCount: Int64
    /// SHA-256 of the first and the last MiB: cheap for any size, and different for any two films.
    var ends: String
  }

  /// Sessions of Google's end after a week.
  private static let keptSeconds: TimeInterval = 8 * 86_400
  private static let longest = 4096

  /// - Parameters:
  ///   - url: the credential.
  ///   - file: path of what is sent.
  /// - Throws: `ShareEngineError`: `locked` when another process sends to the URL, `rejected` when an earlier run began
  ///   with another file; `DurableFileError`.
  package init(url: Secret, file: String, places: Places) throws {
    let folder = places.uploadsFolder
    try Folder.create(places.stateFolder)
    try Folder.create(folder)
    Self.removeOld(in: folder)
    let name = FileDigest.hexadecimal(SHA256.hash(data: Data(url.revealed.utf8)).prefix(16))
    let (path, lockPath) = ("\(folder)/\(name).json", "\(folder)/\(name).lock")
    let contents = Contents(byteCount: try FileIdentity.of(file).byteCount, ends: try Self.ends(of: file))
    let clip = (file as NSString).lastPathComponent
    guard let lock = try FileLock(path: lockPath) else {
      let holder = FileLock.note(at: lockPath).map { "process \($0)" } ?? "another process"
      throw ShareEngineError(.uploadLocked, ["file": clip, "holder": holder])
    }
    try Self.check(contents, against: path, clip: clip)
    self.path = path
    self.lock = lock
  }

  /// Stores what the upload begins with, or compares it with what an earlier run has stored.
  private static func check(_ contents: Contents, against path: String, clip: String) throws {
    let known = try PrivateFile.read(path, limit: longest).flatMap {
      try? JSONDecoder().decode(Contents.self, from: $0)
    }
    guard let known else { return try PrivateFile.write(try JSONEncoder().encode(contents), to: path) }
    guard known == contents else {
      throw ShareEngineError(.uploadOtherFile, ["file": clip])
    }
  }

  /// The upload is over: nothing is left of it.
  package consuming func finish() throws {
    try DurableFile.remove(path)
    lock.releaseAndRemove()
  }

  private static func ends(of file: String) throws -> String {
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

  /// Uploads that nobody came back to.
  private static func removeOld(in folder: String) {
    let limit = Int64((Date().timeIntervalSince1970 - keptSeconds) * 1e9)
    for name in (try? Folder.names(in: folder)) ?? [] {
      let old = "\(folder)/\(name)"
      if let identity = try? FileIdentity.of(old), identity.modifiedNanoseconds < limit { try? DurableFile.remove(old) }
    }
  }
}
