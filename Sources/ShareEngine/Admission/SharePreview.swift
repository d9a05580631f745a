package import ClipModel
import DurableFiles
package import Foundation

/// Previews a share: the plan for each clip, and which clips become one highlight. A preview doesn't upload anything,
/// create jobs or query the backend.
package struct SharePreview: Sendable {
  private let request: ShareRunRequest
  private let environment: EngineEnvironment
  /// Whether to decode a sample of each clip, for rules that need decoded frames.
  private let decodes: Bool

  package init(_ request: ShareRunRequest, environment: EngineEnvironment, decodes: Bool) {
    (self.request, self.environment, self.decodes) = (request, environment, decodes)
  }

  /// The file paths, grouped by highlight, in order.
  package var groups: [[String]] { request.groupFilesByHighlight(backend: environment.configuration.backend.value) }

  /// The clips of a highlight and their digests, for which each clip was read once.
  package struct DistinctClips: Sendable {
    fileprivate let request: ShareAdmission.AdmissionRequest
  }

  /// Reads the clips of a highlight.
  /// - Returns: `nil` for a single clip, or if a clip is unreadable, which its plan reports.
  /// - Throws: `ShareEngineError` if two clips in one highlight are identical.
  package func readDistinctClips(_ group: [String]) async throws -> DistinctClips? {
    guard group.count > 1 else { return nil }
    do {
      let registry = try? await JobRegistry.openExistingRegistry(environment.places)
      return DistinctClips(request: try await readClips(group, registry))
    } catch let error as any ExplainedError {
      if error.explanation.category == .usage { throw error }
      return nil
    }
  }

  /// Returns the plan for one clip of a highlight.
  package func makePlan(for file: String, in group: [String]) async throws -> PlanPreview {
    try ShareRunRequest.requireRegularFile(file)
    return try await PlanPreview.make(
      file, request: request.makeRequest(for: group), rules: environment.configuration.rules,
      upload: try await environment.uploadConditions(isPost: group.count > 1), decodes: decodes)
  }

  /// Finds an earlier share of the clips in the journal and in exported metadata. Returns `nil` if there is none.
  /// - Parameters:
  ///   - group: the clip paths as the user entered them.
  ///   - clips: the result of `readDistinctClips(_:)`.
  /// - Throws: `ShareRefusal` if an unfinished job conflicts with the share.
  package func findEarlierShare(of group: [String], _ clips: DistinctClips?) async throws -> EarlierShare? {
    guard !request.ignoresEarlierShares else { return nil }
    // A preview must not create a journal.
    let registry = try await JobRegistry.openExistingRegistry(environment.places)
    // Compute digests only if the size of a clip matches an earlier share.
    let sizes = Set(try await registry?.journal.readableJobs().map(\.source.byteCount) ?? [])
    let isCandidate = try group.contains { file in
      try request.isExported(file) || sizes.contains(FileIdentity.of(absolutePath(file)).byteCount)
    }
    guard isCandidate else { return nil }
    let admission = if let clips { clips.request } else { try await readClips(group, registry) }
    let backendName = environment.configuration.backend.value.rawValue
    let rowID = admission.rowID(in: backendName)
    let match = try await registry?.find(admission.clips, backend: backendName, highlightID: admission.exportedID)
    switch ShareAdmission.classify(match, admission, rowID: rowID) {
    case .new: return rowID.map { .exported($0) }
    case .unfinished(let jobs): return .unfinished(jobs[0])
    case .finished(_, let isSame):
      if let rowID, !isSame { return .exported(rowID) }
      return .same
    case .different(let refusal): return .different(refusal)
    case .conflict(let refusal): throw refusal
    }
  }

  private func readClips(
    _ group: [String], _ registry: JobRegistry?
  ) async throws -> ShareAdmission.AdmissionRequest {
    try await request.makeAdmissionRequest(for: group) { path in
      if let registry { return try await registry.readSource(path) }
      return SourceFile(
        path: path, byteCount: try FileIdentity.of(path).byteCount, sha256: try await FileDigest.sha256(path: path))
    }
  }
}

/// An earlier share of the same clips.
package enum EarlierShare: Sendable {
  /// The earlier share used the same options.
  case same
  /// The earlier share is unfinished, so a new share resumes it.
  case unfinished(ShareJob)
  /// The earlier share used different options. A new share is rejected if the highlight still exists.
  case different(ShareRefusal)
  /// The clips were exported from this highlight. Nothing is uploaded if the highlight still exists.
  case exported(UUID)
}
