import ClipModel
import Foundation
import GRDB

/// A job's row in the journal. It contains columns for lists and lookups, and the complete job as JSON.
struct JobRow: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "job"

  /// A lowercase UUID.
  var id: String
  var sourcePath: String
  var sourceSHA256: String
  var backend: String
  var stage: String
  var isFinal: Bool
  var createdAt: Int64
  var updatedAt: Int64
  var job: String

  init(_ job: ShareJob) throws {
    id = job.id.uuidString.lowercased()
    sourcePath = job.source.path
    sourceSHA256 = job.source.sha256
    backend = job.backend
    stage = job.stage.name
    isFinal = job.stage.isFinal
    createdAt = job.createdAt
    updatedAt = job.updatedAt
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.job = String(decoding: try encoder.encode(job), as: UTF8.self)
  }

  func decodeJob() throws(ShareEngineError) -> ShareJob {
    do {
      return try JSONDecoder().decode(ShareJob.self, from: Data(job.utf8))
    } catch {
      throw ShareEngineError(.jobUnreadable, ["job": id, "path": sourcePath])
    }
  }
}
