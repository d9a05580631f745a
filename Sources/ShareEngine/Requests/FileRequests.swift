import ClipMedia
package import ClipModel
import DurableFiles
package import Privacy

/// Inspects files for commands that don't change them. Paths are in the form that the user entered.
package enum FileInspection {
  package static func probe(_ file: String) async throws -> ClipProbe {
    try await Prober.probe(path: absolutePath(file))
  }

  /// - Throws: `ShareEngineError` if the file is empty, or any error that `Auditor` throws.
  package static func audit(_ file: String) async throws -> AuditReport {
    guard try FileIdentity.of(absolutePath(file)).byteCount > 0 else {
      throw ShareEngineError(.emptyFile, ["verb": "audit", "file": file], category: .unjudged)
    }
    return try await Auditor.audit(path: absolutePath(file))
  }
}

/// Removes private metadata from files without re-encoding them.
package struct StripRequest: Sendable {
  package var options = StripOptions()
  package var policy = ReplacePolicy.keepExisting
  /// Whether to compare every packet of the result with the source.
  package var verifiesPackets = false

  package init() {}

  package func preview(_ input: OutputTargets.Input) async throws -> StripPreview {
    try await Stripper.preview(
      source: absolutePath(input.source), destination: absolutePath(input.destination), options: options,
      policy: policy)
  }

  /// - Parameter progress: receives the completed fraction on a different thread.
  package func strip(
    _ input: OutputTargets.Input, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> StripResult {
    try OutputTargets.createDestinationFolder(for: input)
    return try await Stripper.strip(
      source: absolutePath(input.source), destination: absolutePath(input.destination), options: options,
      policy: policy, proves: verifiesPackets, progress: progress)
  }
}
