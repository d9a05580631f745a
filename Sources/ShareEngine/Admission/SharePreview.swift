package import ClipModel
import DurableFiles
package import Foundation

/// What a share would do: each clip with its plan and its caption, and which of them become one highlight. Sends nothing,
/// makes no job and asks no backend.
package struct SharePreview: Sendable {
  private let order: ShareOrder
  private let environment: EngineEnvironment
  /// Some frames of each clip are decoded, for the rules that only decoding can answer.
  private let decodes: Bool

  package init(_ order: ShareOrder, environment: EngineEnvironment, decodes: Bool) {
    (self.order, self.environment, self.decodes) = (order, environment, decodes)
  }

  /// The files of each highlight, in its order.
  package var groups: [[String]] { order.groups(backend: environment.configuration.backend.value) }

  /// - Throws: `ShareEngineError` for a clip that is named twice in one highlight.
  package func check(_ group: [String]) async throws {
    guard group.count > 1 else { return }
    do {
      _ = try await order.admission(of: group, source: source)
    } catch let error as any ExplainedError {
      // A clip that cannot be read is reported with its plan.
      if error.explanation.category == .usage { throw error }
    }
  }

  /// The plan of one clip of a highlight.
  package func plan(of file: String, in group: [String]) async throws -> PlanPreview {
    try ShareOrder.requireFile(file)
    return try await PlanPreview.make(
      file, request: order.request(of: group), rules: environment.configuration.rules, decodes: decodes)
  }

  /// What the journal and the clips' exports know of them; `nil` for clips that were never shared from here.
  /// - Throws: `ShareRefusal` where a share would be refused for an unfinished job.
  package func earlierShare(of group: [String]) async throws -> EarlierShare? {
    guard !order.isNewAnyway else { return nil }
    // A preview makes no journal.
    let hasJournal = FileManager.default.fileExists(atPath: environment.places.journalFile)
    let registry =
      hasJournal
      ? JobRegistry(journal: try await Journal.open(environment.places), places: environment.places) : nil
    // A clip that cannot have been shared is not read.
    let sizes = Set(try await registry?.journal.readable().map(\.source.byteCount) ?? [])
    let isCandidate = try group.contains { file in
      try order.isExported(file) || sizes.contains(FileIdentity.of(absolutePath(file)).byteCount)
    }
    guard isCandidate else { return nil }
    let admission = try await order.admission(of: group) { path in
      if let registry { try await registry.source(path) } else { try await source(path) }
    }
    let opening = try await registry?.find(
      admission.clips, backend: environment.configuration.backend.value.rawValue, highlightID: admission.exportedID)
    switch opening {
    case .shared: return .same
    case .continued(let jobs): return .unfinished(jobs[0])
    case .rival(let job): throw ShareRefusal.rival(job)
    case .other(let jobs) where admission.exportedID == nil:
      let differences = ShareDifference.all(of: jobs, nil, from: admission.clips)
      return differences.isEmpty ? .same : .different(.differs(jobs[0], differences, clipCount: jobs.count))
    case .other, .new, nil: return admission.exportedID.map { .exported($0) }
    }
  }

  private func source(_ path: String) async throws -> SourceFile {
    SourceFile(
      path: path, byteCount: try FileIdentity.of(path).byteCount, sha256: try await FileDigest.sha256(path: path))
  }
}

/// An earlier share of the same clips.
package enum EarlierShare: Sendable {
  /// With the same request.
  case same
  /// It is unfinished, and continues.
  case unfinished(ShareJob)
  /// With other options: refused where the highlight still exists.
  case different(ShareRefusal)
  /// The clips were exported from this highlight: nothing is sent where it still exists.
  case exported(UUID)
}
