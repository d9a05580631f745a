import ClipModel
import Foundation

/// Validates a clip from its facts and its rally metadata: `probe-clip --json clip.mp4 | judge-clip [clip.json]`.
@main
enum JudgeClip {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count <= 1 else { fail("usage: probe-clip --json CLIP | judge-clip [METADATA]", status: 64) }
    do {
      let facts = try JSONDecoder().decode(ClipProbe.self, from: FileHandle.standardInput.readToEnd() ?? Data())
      var findings = clipFindings(facts)
      if let file = arguments.first {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        findings += rallyFindings(bytes, named: URL(filePath: file).lastPathComponent, of: facts)
      }
      for finding in findings { print("\(finding.severity.rawValue): \(finding.rule): \(finding.message)") }
      exit(findings.contains { $0.severity == .error } ? 4 : 0)
    } catch {
      fail("error: cannot read the facts or the metadata: \(error)\nnext: write the facts with probe-clip --json")
    }
  }

  /// Evaluates the rules for clips and prints the plan.
  static func clipFindings(_ facts: ClipProbe) -> [Finding] {
    switch ClipRules().plan(facts, settings: ProcessingSettings()) {
    case .plan(let plan):
      for decision in plan.decisions { print("plan: \(decision.what): \(decision.why)") }
    case .rejection: break
    }
    return RuleEvaluator().evaluate(facts).findings
  }

  /// Reads the metadata and checks whether the clip is one of its rallies.
  static func rallyFindings(_ bytes: [UInt8], named name: String, of facts: ClipProbe) -> [Finding] {
    let (metadata, findings) = RallyMetadata.read(bytes: bytes, fileName: name)
    guard let metadata, let seconds = facts.shownSeconds else { return findings }
    let rules = RallyRules(
      metadata: metadata, fileSeconds: seconds, frameRate: facts.mainVideo?.averageFrameRate?.value)
    let choice = rules.chooseRally(index: nil, mode: .auto)
    if let rally = choice.rally { print("rally: \(rally.index) of \(metadata.segments.count)") }
    return findings + choice.findings
  }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
  }
}
