import ClipModel
import Foundation

/// The clips of one highlight with their jobs.
struct AdmittedShare: Sendable {
  /// The paths as the user wrote them, in the order of the jobs.
  var files: [String]
  var jobs: [ShareJob]
  var isContinued: Bool
  /// The locks that this process holds while it works on the jobs.
  var locks: [JobLock] = []

  /// Groups unfinished jobs into shares, each with all its jobs.
  static func all(of jobs: [ShareJob], in journal: Journal) async throws -> [AdmittedShare] {
    var shares: [AdmittedShare] = []
    var seen: Set<UUID> = []
    for job in jobs where !seen.contains(job.id) {
      let all = try await journal.post(of: job)
      seen.formUnion(all.map(\.id))
      shares.append(AdmittedShare(files: all.map(\.source.path), jobs: all, isContinued: true))
    }
    return shares
  }
}
