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

  /// Each reason in the table occurs in the libraries, and each reason of a finding is in the table.
  @Test func reasonsAreStated() throws {
    let reasons = Set(FindingAdvice.table.keys.compactMap { $0.split(separator: "=").dropFirst().first })
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardizedFileURL
    var stated: Set<Substring> = []
    for name in ["ClipModel", "ShareEngine"] {
      let files = FileManager.default.enumerator(at: sources.appending(path: name), includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /facts(?::| =) (?:\w+ \? \[:\] : )?\["reason": "([a-z-]+)"/) {
          #expect(reasons.contains(match.output.1), "\(file.lastPathComponent): \(match.output.1)")
        }
        stated.formUnion(text.matches(of: /"([a-z-]+)"/).map(\.output.1))
      }
    }
    #expect(reasons.subtracting(stated).isEmpty)
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
    #expect(finding.withAdvice.next == advice)
    // Documents contain the advice, and the journal contains the facts.
    let line = try JSONText.encodeLine(finding)
    let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(document?["next"] as? String == advice && document?["facts"] == nil, "\(line)")
    #expect(try JSONDecoder().decode(Finding.self, from: JSONEncoder().encode(finding)) == finding)
    finding.next = "own advice"
    #expect(finding.withAdvice.next == "own advice")
  }
}
