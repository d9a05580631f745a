package import ClipModel
import DurableFiles
package import Foundation

/// Shows what a share would do: the plan of each clip, and which clips become one highlight. Sends nothing, creates no
/// jobs and does not query the backend.
package struct SharePreview: Sendable {
  private let request: ShareRunRequest
  private let environment: EngineEnvironment
  /// Decodes a sample of each clip, for the rules that need decoded frames.
  private let decodes: Bool

  package init(_ request: ShareRunRequest, environment: EngineEnvironment, decodes: Bool) {
    (self.request, self.environment, self.decodes) = (request, environment, decodes)
  }

  /// The files of each highlight, in order.
  package var groups: [[String]] { request.groups(backend: environment.configuration.backend.value) }

  /// - Throws: `ShareEngineError` if two clips in one highlight are identical.
  package func check(_ group: [String]) async throws {
    guard group.count > 1 else { return }
    do {
      _ = try await request.admissionRequest(for: group, source: source)
    } catch let error as any ExplainedError {
      // The plan reports an unreadable clip.
      if error.explanation.category == .usage { throw error }
    }
  }

  /// The plan of one clip of a highlight.
  package func plan(of file: String, in group: [String]) async throws -> PlanPreview {
    try ShareRunRequest.requireFile(file)
    return try await PlanPreview.make(
      file, request: request.request(of: group), rules: environment.configuration.rules, decodes: decodes)
  }

  /// An earlier share of the clips, from the journal and from exported metadata; `nil` if there is none.
  /// - Throws: `ShareRefusal` if an unfinished job prevents the share.
  package func earlierShare(of group: [String]) async throws -> EarlierShare? {
    guard !request.ignoresEarlierShares else { return nil }
    // A preview doesn't create a journal.
    let registry = try await JobRegistry.openExisting(environment.places)
    // Digests are computed only for clips whose size matches an earlier share.
    let sizes = Set(try await registry?.journal.readable().map(\.source.byteCount) ?? [])
    let isCandidate = try group.contains { file in
      try request.isExported(file) || sizes.contains(FileIdentity.of(absolutePath(file)).byteCount)
    }
    guard isCandidate else { return nil }
    let admission = try await request.admissionRequest(for: group) { path in
      if let registry { try await registry.source(path) } else { try await source(path) }
    }
    let match = try await registry?.find(
      admission.clips, backend: environment.configuration.backend.value.rawValue, highlightID: admission.exportedID)
    switch match {
    case .shared: return .same
    case .continued(let jobs): return .unfinished(jobs[0])
    case .conflict(let job): throw ShareRefusal.conflict(job)
    case .sharedDifferently(let jobs) where admission.exportedID == nil:
      let differences = ShareDifference.all(of: jobs, nil, from: admission.clips)
      return differences.isEmpty ? .same : .different(.differs(jobs[0], differences, clipCount: jobs.count))
    case .sharedDifferently, .new, nil: return admission.exportedID.map { .exported($0) }
    }
  }

  private func source(_ path: String) async throws -> SourceFile {
    SourceFile(
      path: path, byteCount: try FileIdentity.of(path).byteCount, sha256: try await FileDigest.sha256(path: path))
  }
}

/// An earlier share of the same clips.
package enum EarlierShare: Sendable {
  /// The options are the same.
  case same
  /// The earlier share is unfinished, so a new one continues it.
  case unfinished(ShareJob)
  /// The options differ: a share is rejected if the highlight still exists.
  case different(ShareRefusal)
  /// The clips were exported from this highlight: nothing is sent if it still exists.
  case exported(UUID)
}
