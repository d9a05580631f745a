import ClipMedia
import ClipModel
import Foundation

/// Compresses a video and removes its location data: `shrink SOURCE DESTINATION`.
@main
enum Shrink {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 2 else { fail("usage: shrink SOURCE DESTINATION", status: 64) }
    do {
      let findings = try await shrink(arguments[0], to: arguments[1])
      if !findings.isEmpty { fail(findings.map(\.message).joined(separator: "\n"), status: 4) }
    } catch let error as any ExplainedError {
      fail("error: \(error)\nnext: see \(error.explanation.id) in Docs/errors.md")
    } catch {
      fail("error: \(error)")
    }
  }

  /// Probes, plans and processes the video. Returns the findings if it was rejected.
  static func shrink(_ source: String, to destination: String) async throws -> [Finding] {
    let source = try await OpenedClip(path: source)
    switch ClipRules().ofAnyLength.plan(source.probe, settings: ProcessingSettings()) {
    case .rejection(let findings): return findings
    case .plan(let plan):
      for decision in plan.decisions { print("\(decision.what) (\(decision.why))") }
      let clip = try await ClipProcessor.process(source, plan: plan, to: destination)
      print("\(source.probe.byteCount) bytes became \(clip.byteCount)")
      return []
    }
  }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
  }
}
