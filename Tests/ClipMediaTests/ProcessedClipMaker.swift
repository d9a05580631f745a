import ClipModel
import Foundation
import TestSupport

@testable import ClipMedia

/// Probes, plans and processes a clip, whatever its length.
struct ProcessedClipMaker {
  let folder: ScratchFolder
  var settings = ProcessingSettings()

  init() throws { folder = try ScratchFolder() }

  func plan(_ path: String, cut: Range<Double>? = nil) async throws -> (ClipProbe, ProcessingPlan) {
    let probe = try await Prober.probe(path: path)
    switch ClipRules().plan(probe, cut: cut, settings: settings, allowingAnyLength: true) {
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
      path, probe: probe, plan: plan,
      destination: folder.path("clip.mp4"), pictures: plan.pictures.map { PictureOrder($0, base: folder.path("clip")) }
    ) { _ in }
  }
}

extension ProcessedClip {
  var posterPath: String? { pictures.first { $0.kind == .poster }?.path }
}
