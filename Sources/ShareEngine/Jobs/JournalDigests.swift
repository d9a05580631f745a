import DurableFiles
import Foundation
import GRDB

/// Digests of files, remembered as long as nobody touches them: a season on a disk is not read again to find its jobs.
extension Journal {
  /// SHA-256 of the file as 64 lower-case hexadecimal digits.
  /// - Throws: `DurableFileError`, also when the file is changed while it is read; `CancellationError`.
  public func sha256(ofFileAt path: String) async throws -> String {
    let identity = try FileIdentity.of(path)
    if let known = await digest(of: identity) { return known }
    let sha256 = try await FileDigest.sha256(path: path)
    // The one that was read; another one may have the name by now.
    if try FileIdentity.of(path) == identity { await remember(sha256, of: identity, now: Date()) }
    return sha256
  }

  /// A file that was written less than this ago may be written again without another time of modification: some file
  /// systems count in steps of 2 s.
  private static let settledAfter = 2.0
  /// Files that nobody asks for are forgotten.
  private static let keptSeconds: Int64 = 90 * 86_400

  /// A journal that cannot be read or written costs time, and nothing else.
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
    guard now.timeIntervalSince1970 - modified > Self.settledAfter else { return }
    let seconds = Int64(now.timeIntervalSince1970)
    let key = Self.key(of: file)
    try? await perform("cannot write the journal") { database in
      try database.execute(sql: "DELETE FROM digest WHERE usedAt < ?", arguments: [seconds - Self.keptSeconds])
      try database.execute(
        sql: "INSERT OR REPLACE INTO digest VALUES (?, ?, ?, ?, ?, ?)", arguments: key + [sha256, seconds])
    }
  }

  /// SQLite's integers are signed; a number of a device or an inode is only compared.
  private static func key(of file: FileIdentity) -> StatementArguments {
    [
      Int64(bitPattern: file.device), Int64(bitPattern: file.inode), file.byteCount, file.modifiedNanoseconds,
    ]
  }
}
