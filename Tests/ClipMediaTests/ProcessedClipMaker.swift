import ClipModel
import Foundation
import TestSupport

@testable import ClipMedia

/// Probes, plans and processes a clip of any length.
struct ProcessedClipMaker {
  let folder: ScratchFolder
  var settings = ProcessingSettings()

  init() throws { folder = try ScratchFolder() }

  func plan(_ path: String, cut: Range<Double>? = nil) async throws -> (ClipProbe, ProcessingPlan) {
    let probe = try await Prober.probe(path: path)
    switch ClipRules().ofAnyLength.plan(probe, cut: cut, settings: settings) {
    case .plan(let plan): return (probe, plan)
    case .rejection(let findings): throw ClipFactory.Failure(description: "refused: \(findings)")
    }
  }

  func process(_ path: String, cut: Range<Double>? = nil) async throws -> ProcessedClip {
    let (probe, plan) = try await plan(path, cut: cut)
    return try await process(path, probe: probe, plan: plan)
  }

  func process(_ path: String, probe: ClipProbe, plan: ProcessingPlan) async throws -> ProcessedClip {
    try await ClipProcessor.process(
      OpenedClip(path: path, known: probe), plan: plan, to: folder.path("clip.mp4"), options: options(for: plan))
  }

  func options(for plan: ProcessingPlan) -> ClipProcessor.Options {
    var options = ClipProcessor.Options()
    options.policy = .replace
    options.pictures = plan.pictures.map { PictureRequest($0, base: folder.path("clip")) }
    return options
  }
}

extension ProcessedClip {
  /// Whether an interrupted encode continued.
  var isContinued: Bool { notes.contains { $0.id == "encode.continued" } }

  var posterPath: String? { pictures.first { $0.kind == .poster }?.path }
}
