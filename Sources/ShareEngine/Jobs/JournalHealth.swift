import ClipModel
import DurableFiles
import Foundation
import GRDB

/// The state of the journal and of the files that belong to it.
struct JournalHealth: Sendable {
  var jobCount = 0
  var unfinishedCount = 0
  /// SQLite's findings; empty if the file is intact.
  var damage: [String] = []
  /// The errors of unreadable jobs.
  var unreadable: [ShareEngineError] = []
  /// Job folders and upload URLs for jobs that are not in the journal.
  var strayPaths: [String] = []
}

extension Journal {
  /// Checks the whole journal. Changes nothing.
  func health(_ places: Places) async throws -> JournalHealth {
    var health = JournalHealth()
    health.damage = try await perform("cannot check the journal \(places.journalFile)") { database in
      // For an intact file, the result is one row that contains "ok".
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
