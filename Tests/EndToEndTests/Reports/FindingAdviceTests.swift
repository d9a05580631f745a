import ClipModel
import Foundation
import Reports
import Testing

/// Libraries state facts, and `FindingAdvice` has the commands.
@Suite struct FindingAdviceTests {
  /// The advice for black, frozen, quiet and clipped video depends on the clip.
  @Test func otherRulesHaveFixes() {
    let open = RuleCatalog.rules.filter { $0.withAdvice.fix == nil }.map(\.id)
    #expect(open == ["clip.black", "clip.frozen", "clip.loudness", "clip.clipping"])
    #expect(RuleCatalog.rule("clip.sync")?.withAdvice.fix == "bsc compress CLIP --mute")
    #expect(RuleCatalog.rule("rally.id")?.withAdvice.fix == "export the metadata from the app again")
  }

  @Test func adviceIsForRules() {
    let ids = Set(RuleCatalog.rules.map(\.id))
    #expect(FindingAdvice.table.keys.allSatisfy { ids.contains(String($0.prefix { $0 != "/" })) })
  }

  @Test func reasonsHaveAdvice() {
    let reasons = FindingAdvice.table.keys.compactMap { $0.split(separator: "=").dropFirst().first.map(String.init) }
    #expect(Set(reasons) == Set(FindingReason.allCases.map(\.rawValue)))
  }

  /// Only the placeholder is replaced, not the same word in a file's name.
  @Test func adviceNamesTheClip() {
    let finding = Finding(
      rule: "rally.metadata", severity: .error, message: "m", facts: FindingReason.missing.facts(file: "CLIP.json"))
    #expect(finding.withAdvice(clip: "a.mov").next?.contains("CLIP.json") == true)
    let strip = Finding(rule: "privacy.location", severity: .error, message: "m", facts: [:])
    #expect(strip.withAdvice(clip: "'a b.mov'").next == "bsc strip 'a b.mov'")
  }

  @Test(
    arguments: [
      ("clip.truncated", [:], "copy the file from the camera again, or run bsc compress --salvage"),
      (
        "clip.truncated", ["reason": "damage"],
        "copy the file from the camera again, or use --salvage to keep the intact part"
      ),
      ("rally.index", ["reason": "not-chosen"], "choose a rally with --rally N"),
      (
        "rally.json", ["reason": "invalid", "file": "a.json"],
        "export a.json from the app again, or use a different file: --metadata FILE"
      ),
      ("clip.black", [:], nil), ("clip.interlaced", nil, nil),
    ] as [(String, [String: String]?, String?)])
  func factsSelectAdvice(_ rule: String, _ facts: [String: String]?, _ advice: String?) throws {
    var finding = Finding(rule: rule, severity: .error, message: "m", facts: facts)
    #expect(finding.withAdvice().next == advice)
    // Documents contain the advice, and the journal contains the facts.
    let line = try JSONText.encodeLine(finding)
    let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(document?["next"] as? String == advice && document?["facts"] == nil, "\(line)")
    #expect(try JSONDecoder().decode(Finding.self, from: JSONEncoder().encode(finding)) == finding)
    finding.next = "own advice"
    #expect(finding.withAdvice().next == "own advice")
  }
}
