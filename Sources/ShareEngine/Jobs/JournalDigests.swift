import DurableFiles
import Foundation
import GRDB

/// Stores digests of files by device, inode, size and modification time, so that unchanged files are read only once.
extension Journal {
  /// The SHA-256 of the file as 64 lowercase hexadecimal digits.
  /// - Throws: `DurableFileError`, also if the file changes while it is read; `CancellationError`.
  package func sha256(ofFileAt path: String) async throws -> String {
    let identity = try FileIdentity.of(path)
    if let known = await digest(of: identity) { return known }
    let sha256 = try await FileDigest.sha256(path: path)
    // The path may now lead to a different file.
    if try FileIdentity.of(path) == identity { await remember(sha256, of: identity, now: Date()) }
    return sha256
  }

  /// A file that was modified more recently could change again without getting a new modification time, because some
  /// file systems have a resolution of 2 s.
  private static let timeResolution = 2.0
  private static let keptSeconds: Int64 = 90 * 86_400

  /// Returns `nil` if the journal cannot be read. In that case, the digest is computed.
  private func digest(of file: FileIdentity) async -> String? {
    let key = Self.key(of: file)
    return try? await perform("cannot read the journal") { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT sha256 FROM digest WHERE device = ? AND inode = ? AND byteCount = ? AND modifiedNanoseconds = ?
          """, arguments: key)
    }
  }

  func remember(_ sha256: String, of file: FileIdentity, now: Date) async {
    let modified = Double(file.modifiedNanoseconds) / 1e9
    guard now.timeIntervalSince1970 - modified > Self.timeResolution else { return }
    let seconds = Int64(now.timeIntervalSince1970)
    let key = Self.key(of: file)
    try? await perform("cannot write the journal") { database in
      try database.execute(sql: "DELETE FROM digest WHERE usedAt < ?", arguments: [seconds - Self.keptSeconds])
      try database.execute(
        sql: "INSERT OR REPLACE INTO digest VALUES (?, ?, ?, ?, ?, ?)", arguments: key + [sha256, seconds])
    }
  }

  /// SQLite's integers are signed. Device and inode numbers are only compared.
  private static func key(of file: FileIdentity) -> StatementArguments {
    [Int64(bitPattern: file.device), Int64(bitPattern: file.inode), file.byteCount, file.modifiedNanoseconds]
  }
}
