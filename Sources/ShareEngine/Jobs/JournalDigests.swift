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
    let start = Date()
    let sha256 = try await FileDigest.sha256(path: path)
    // A different file may now be at this path.
    if try FileIdentity.of(path) == identity { await storeDigest(sha256, of: identity, readAt: start) }
    return sha256
  }

  private static let keptSeconds: Int64 = 90 * 86_400

  /// Returns the number of seconds in which a file can change several times without a new modification time.
  ///
  /// File systems and network protocols with steps of 1 or 2 s store whole seconds. All others also store a fraction, in
  /// steps of 10 ms (exFAT) or of a clock tick, which is 16 ms or less.
  private static func timeResolution(of file: FileIdentity) -> Double {
    file.modifiedNanoseconds % 1_000_000_000 == 0 ? 2 : 0.05
  }

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

  /// Stores a digest if each change since the start of the reading has a new modification time.
  /// - Parameter date: the time before the first byte was read.
  func storeDigest(_ sha256: String, of file: FileIdentity, readAt date: Date) async {
    let modified = Double(file.modifiedNanoseconds) / 1e9
    guard date.timeIntervalSince1970 - modified > Self.timeResolution(of: file) else { return }
    let seconds = Int64(date.timeIntervalSince1970)
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
