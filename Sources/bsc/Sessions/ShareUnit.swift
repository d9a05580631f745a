import ClipModel
import Foundation
import ShareEngine

/// What becomes one highlight: a clip, or several together.
struct ShareUnit: Sendable {
  /// As they were named, in the order of the jobs.
  var files: [String]
  var jobs: [ShareJob]
  var isContinued: Bool
  /// What people should know before.
  var note: String?

  /// For a message: the clip that the failure is about, or all of them.
  static func name(of files: [String], in explanation: Explanation) -> String {
    guard let first = files.first, files.count > 1 else { return files.first ?? "" }
    let name = explanation.facts["file"]
    return files.first { "/\(absolutePath($0))".hasSuffix("/\(name ?? "/")") } ?? "\(first) and \(files.count - 1) more"
  }

  /// The jobs that can go on, each share once and whole.
  static func all(of jobs: [ShareJob], in journal: Journal) async throws -> [ShareUnit] {
    var units: [ShareUnit] = []
    var seen: Set<UUID> = []
    for job in jobs where !seen.contains(job.id) {
      let all = try await journal.post(of: job)
      seen.formUnion(all.map(\.id))
      units.append(ShareUnit(files: all.map(\.source.path), jobs: all, isContinued: true))
    }
    return units
  }
}
