import ClipModel
import DurableFiles
import Foundation
import GRDB

/// The state of the journal and its files.
struct JournalHealth: Sendable {
  var jobCount = 0
  var unfinishedCount = 0
  /// The problems that SQLite found. Empty if the database is intact.
  var damage: [String] = []
  /// The errors for unreadable jobs.
  var unreadable: [ShareEngineError] = []
  /// The job folders and upload URLs of jobs that are not in the journal.
  var strayPaths: [String] = []
}

extension Journal {
  /// Checks the entire journal without changing it.
  func checkHealth(_ places: ApplicationFolders) async throws -> JournalHealth {
    var health = JournalHealth()
    health.damage = try await runTransaction("cannot check the journal \(places.journalFile)") { database in
      // For an intact database, SQLite returns a single row that contains "ok".
      try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
    let (jobs, damage) = try await entries()
    health.unreadable = damage
    health.jobCount = jobs.count + damage.count
    health.unfinishedCount = jobs.count { !$0.stage.isFinal }
    let known = Set(try await identifiers().map { $0.uuidString.lowercased() })
    for (folder, prefix) in [(places.jobsFolder, ""), (places.secretsFolder, SecretName.uploadURLPrefix)] {
      health.strayPaths += ((try? Folder.names(in: folder)) ?? [])
        .filter { $0.hasPrefix(prefix) && !known.contains(String($0.dropFirst(prefix.count))) }
        .map { "\(folder)/\($0)" }
    }
    return health
  }
}
