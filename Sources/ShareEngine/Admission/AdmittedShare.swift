import ClipModel
import Foundation

/// The clips that become one highlight, and their jobs.
struct AdmittedShare: Sendable {
  /// The clip paths as the user entered them, in the same order as `jobs`.
  var files: [String]
  var jobs: [ShareJob]
  var isContinued: Bool
  /// The locks that this process holds while it works on the jobs.
  var locks: [JobLock] = []

  /// Groups unfinished jobs into shares. Each share contains all jobs of its post.
  static func makeShares(from jobs: [ShareJob], in journal: Journal) async throws -> [AdmittedShare] {
    var shares: [AdmittedShare] = []
    var seen: Set<UUID> = []
    for job in jobs where !seen.contains(job.id) {
      let all = try await journal.loadPost(of: job)
      seen.formUnion(all.map(\.id))
      shares.append(AdmittedShare(files: all.map(\.source.path), jobs: all, isContinued: true))
    }
    return shares
  }
}
