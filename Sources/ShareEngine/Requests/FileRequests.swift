import ClipMedia
package import ClipModel
import DurableFiles
package import Privacy

/// Reads files for commands that only report on them. Paths are as the user wrote them.
package enum FileInspection {
  package static func probe(_ file: String) async throws -> ClipProbe {
    try await Prober.probe(path: absolutePath(file))
  }

  /// - Throws: `ShareEngineError` for an empty file, or the errors of `Auditor`.
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
  /// Compares every packet of the result with the source.
  package var verifiesPackets = false

  package init() {}

  package func preview(_ input: OutputTargets.Input) async throws -> StripPreview {
    try await Stripper.preview(
      source: absolutePath(input.source), destination: absolutePath(input.destination), options: options,
      policy: policy)
  }

  /// - Parameter progress: called on a different thread with the completed fraction.
  package func strip(
    _ input: OutputTargets.Input, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> StripResult {
    try OutputTargets.makeFolder(of: input)
    return try await Stripper.strip(
      source: absolutePath(input.source), destination: absolutePath(input.destination), options: options,
      policy: policy, proves: verifiesPackets, progress: progress)
  }
}
