import ClipModel
import DurableFiles
import Foundation
import GRDB

/// How the journal and what belongs to it are.
package struct JournalHealth: Sendable {
  package var jobCount = 0
  package var unfinishedCount = 0
  /// What SQLite found wrong with the file; empty when it is sound.
  package var damage: [String] = []
  /// Jobs that cannot be read, each with the reason.
  package var unreadable: [ShareEngineError] = []
  /// Work folders of jobs that the journal does not know.
  package var strayFolders: [String] = []
  /// Secrets of such jobs.
  package var strayFiles: [String] = []
}

extension Journal {
  /// Reads all of it. What is wrong is told, and not mended.
  package func health(_ places: Places) async throws -> JournalHealth {
    var health = JournalHealth()
    health.damage = try await perform("cannot check the journal \(places.journalFile)") { database in
      // A hundred lines at most; "ok" alone is good news.
      try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
    let (jobs, damage) = try await entries()
    health.unreadable = damage
    health.jobCount = jobs.count + damage.count
    health.unfinishedCount = jobs.count { !$0.stage.isFinal }
    let known = Set(try await identifiers().map { $0.uuidString.lowercased() })
    func names(_ folder: String) -> [String] { (try? Folder.names(in: folder)) ?? [] }
    health.strayFolders = names(places.jobsFolder).filter { !known.contains($0) }.map { "\(places.jobsFolder)/\($0)" }
    let prefix = SecretName.uploadURLPrefix
    health.strayFiles = names(places.secretsFolder)
      .filter { $0.hasPrefix(prefix) && !known.contains(String($0.dropFirst(prefix.count))) }
      .map { "\(places.secretsFolder)/\($0)" }
    return health
  }
}
