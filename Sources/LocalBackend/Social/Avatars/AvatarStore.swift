import ClipModel
import Foundation
import GRDB

/// The files of the bucket `avatars`. The database stores them, so they are deleted with their accounts.
struct AvatarStore: Sendable {
  let database: DatabasePool
  let now: @Sendable () -> Date

  /// The maximum size of a file in bytes, as in the bucket's settings.
  static let byteLimit = 1 << 20
  /// The maximum number of an account's files, as in the bucket's policy.
  private static let countLimit = 10

  enum WriteMode { case insert, insertOrReplace, replace }

  /// Returns an uploaded picture without its metadata.
  /// - Parameters:
  ///   - type: the media type that the client states; `nil` if it states none.
  ///   - limit: the maximum size in bytes.
  static func picture(
    _ bytes: [UInt8], type: String?, limit: Int = byteLimit
  ) throws(StorageError) -> StillPicture {
    guard bytes.count <= limit else { throw .tooLarge }
    if let type, StillPicture.Format(rawValue: type) == nil { throw .unsupportedType(type) }
    guard let picture = StillPicture(removingMetadataFrom: bytes), type.map({ $0 == picture.format.rawValue }) ?? true
    else { throw .unsupportedType("of these bytes") }
    return picture
  }

  /// Stores a picture.
  /// - Returns: the version of the file.
  func store(_ picture: StillPicture, as file: AvatarFile, _ mode: WriteMode) async throws -> String {
    let version = RandomText.identifier()
    let time = timestampText(now())
    try await database.write { db in
      let exists = try db.hasRow(
        "SELECT 1 FROM avatars WHERE account_id = ? AND name = ?", [file.account, file.name])
      if exists, mode == .insert { throw StorageError.duplicate }
      if !exists, mode == .replace { throw StorageError.notFound }
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM avatars WHERE account_id = ?", arguments: [file.account])
      if !exists, count ?? 0 >= Self.countLimit { throw StorageError.ruleViolated }
      try db.execute(
        sql: "INSERT OR REPLACE INTO avatars VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [file.account, file.name, picture.format.rawValue, Data(picture.bytes), version, time])
    }
    return version
  }

  /// Deletes files and returns those that existed.
  func delete(_ files: [AvatarFile]) async throws -> [AvatarFile] {
    try await database.write { db in
      try files.filter { file in
        try db.execute(
          sql: "DELETE FROM avatars WHERE account_id = ? AND name = ?", arguments: [file.account, file.name])
        return db.changesCount > 0
      }
    }
  }
}

/// A file in the bucket `avatars`. Its path is the account's ID and a name, without deeper folders.
struct AvatarFile: Sendable, Equatable {
  let account: String
  let name: String

  var path: String { "\(account)/\(name)" }
  /// The path at which everyone can read the file.
  var publicPath: String { "/storage/v1/object/public/avatars/\(path)" }

  /// Parses a path. Returns `nil` if it is not a file of an account.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = UUID(uuidString: String(parts[0])),
      parts[1].wholeMatch(of: /[A-Za-z0-9_\-][A-Za-z0-9_.\-]{0,99}/) != nil
    else { return nil }
    account = id.uuidString.lowercased()
    name = String(parts[1])
  }

  /// The file that the pages and bsc use.
  init(ofAccount account: String) { (self.account, name) = (account, "avatar") }

  func isWritable(by caller: Caller) -> Bool { caller == .service || caller.userID == account }
}
