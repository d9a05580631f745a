import GRDB

/// A row of the table `assets`, which represents an asset that is being created, is ready, or could not be created.
struct AssetRow: SnakeCaseRow, Encodable, MutablePersistableRecord {
  static let databaseTableName = "assets"

  enum Status: String, Codable, Sendable {
    case preparing, ready, errored
  }

  var sequence: Int64?
  var id: String
  var uploadID: String?
  var status = Status.preparing
  var settings: NewAssetSettings
  var isTest = false
  /// The properties of a ready asset; `nil` for other assets, and for those that `MuxMigration` adds.
  var facts: AssetProperties?
  /// The reason why the asset's status is `errored`.
  var problem: String?
  /// The asset's creation time in Unix seconds.
  var createdAt: Int64

  mutating func didInsert(_ inserted: InsertionSuccess) { sequence = inserted.rowID }
}

/// A row of the table `playback_ids`, which contains the IDs for playing assets.
struct PlaybackIDRow: SnakeCaseRow, Encodable, PersistableRecord {
  static let databaseTableName = "playback_ids"

  var id: String
  var assetID: String
  var policy = "public"
}

/// An asset with its playback IDs, which are sorted from oldest to newest.
struct Asset: Sendable {
  var row: AssetRow
  var playbackIDs: [PlaybackIDRow]

  init(_ row: AssetRow, in db: Database) throws {
    self.row = row
    playbackIDs = try PlaybackIDRow.fetchAll(
      db, sql: "SELECT * FROM playback_ids WHERE asset_id = ? ORDER BY rowid", arguments: [row.id])
  }
}
