import ClipModel
import Reports
import ShareEngine

/// Prints information about rules.
enum RuleText {
  static func listRules(asJSON: Bool) {
    for rule in RuleCatalog.rules {
      if asJSON {
        Console.writeJSON(
          ["schema": "bsc.rule/1", "id": rule.id, "severity": rule.severity.rawValue, "summary": summarize(rule)])
      } else {
        Console.write("\(rule.id.padded(24)) \(rule.severity.rawValue.padded(8)) \(summarize(rule))\n")
      }
    }
  }

  private static let decodingRules = Set(SharePlan.decodingRules(RuleSettings()))

  /// The summary of a rule, and the options that check it.
  private static func summarize(_ rule: Rule) -> String {
    rule.summary + (decodingRules.contains(rule.id) ? " (checked with --decode or --deep)" : "")
  }

  static func explainRule(_ id: String) throws {
    guard let rule = RuleCatalog.rule(id)?.withAdvice else {
      let nearest = SpellingSuggestion.nearestWord(to: id, among: RuleCatalog.rules.map(\.id))
      throw CommandFailure(.noRule, ["rule": id, "nearest": nearest])
    }
    var lines = [
      "\(rule.id) (\(rule.severity.rawValue))", "  rule    \(summarize(rule))", "  why     \(rule.reason)",
      "  source  \(rule.source)",
    ]
    if let fix = rule.fix { lines.append("  fix     \(fix)") }
    lines.append("  change  edit .bsc.toml as in this example; severity can be error, warning, info or off:")
    Console.write(lines.joined(separator: "\n") + "\n\n")
    // The example isn't wrapped, so that it can be copied into the file.
    var example = ["[rules.\"\(rule.id)\"]"]
    if let range = RuleSettings.usualRanges[rule.id] {
      example += ["min = \(decimal(range.lowerBound))", "max = \(decimal(range.upperBound))"]
    }
    example.append("severity = \"\(rule.severity.rawValue)\"")
    Console.writeRawText(example.joined(separator: "\n") + "\n")
  }
}
