import DurableFiles
import Foundation
import GRDB

/// Stores file digests by device, inode, size and modification time, so that unchanged files are read only once.
extension Journal {
  /// Returns a file's SHA-256 as 64 lowercase hexadecimal digits.
  /// - Throws: `DurableFileError` if the file cannot be read or changes during reading, or `CancellationError`.
  package func sha256(ofFileAt path: String) async throws -> String {
    let identity = try FileIdentity.of(path)
    if let known = await findStoredDigest(of: identity) { return known }
    let sha256 = try await FileDigest.sha256(path: path)
    // A different file may now be at this path.
    if try FileIdentity.of(path) == identity { await storeDigest(sha256, of: identity, now: Date()) }
    return sha256
  }

  /// The minimum age of a file whose digest is stored. A more recent file could change again with the same modification
  /// time, because some file systems have a time resolution of 2 s.
  private static let timeResolution = 2.0
  private static let keptSeconds: Int64 = 90 * 86_400

  /// Returns the stored digest, or `nil` if there is none or the journal cannot be read. The caller then computes the
  /// digest.
  private func findStoredDigest(of file: FileIdentity) async -> String? {
    let key = Self.makeKey(of: file)
    return try? await runTransaction("cannot read the journal") { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT sha256 FROM digest WHERE device = ? AND inode = ? AND byteCount = ? AND modifiedNanoseconds = ?
          """, arguments: key)
    }
  }

  func storeDigest(_ sha256: String, of file: FileIdentity, now: Date) async {
    let modified = Double(file.modifiedNanoseconds) / 1e9
    guard now.timeIntervalSince1970 - modified > Self.timeResolution else { return }
    let seconds = Int64(now.timeIntervalSince1970)
    let key = Self.makeKey(of: file)
    try? await runTransaction("cannot write the journal") { database in
      try database.execute(sql: "DELETE FROM digest WHERE usedAt < ?", arguments: [seconds - Self.keptSeconds])
      try database.execute(
        sql: "INSERT OR REPLACE INTO digest VALUES (?, ?, ?, ?, ?, ?)", arguments: key + [sha256, seconds])
    }
  }

  /// SQLite's integers are signed. Reinterpreting device and inode numbers is safe, because they are only compared for
  /// equality.
  private static func makeKey(of file: FileIdentity) -> StatementArguments {
    [Int64(bitPattern: file.device), Int64(bitPattern: file.inode), file.byteCount, file.modifiedNanoseconds]
  }
}
