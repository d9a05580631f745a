import ClipModel

@testable import Reports
@testable import bsc

/// Validation results with everything that reports must handle.
enum ReportSamples {
  static let rules = [
    Rule(
      "clip.duration", .error, "a clip lasts 3 to 60 s", because: "Rallies do", source: "product rule",
      fix: "bsc share --trim"),
    Rule("mux.bit-rate", .warning, "at most 8 Mbit/s", because: "Phones stall", source: "measurement"),
    Rule("mux.edit-list", .info, "no edit list", because: "Some players ignore it", source: "ISO/IEC 14496-12"),
  ]

  /// File names with characters that are special in some format.
  static let names = [
    "plain.mp4", "season/a b.mp4", "./a//b.mp4", "../up.mp4", "/root/c.mp4", "it's \"quoted\".mp4", "two\nlines.mp4",
    "a&b<c>d.mp4", "🏐 Übung.mp4", "100%.mp4", "50%25.mp4", "a,b.mp4", "x:y.mp4", "# SKIP.mp4", "back\\slash\\.mp4",
    "tab\tcr\r.mp4", "esc\u{1B}[31m.mp4", "::error::x", "]]>.mp4", "c1\u{85}\u{9B}.mp4", "bom\u{FEFF}\u{FFFF}.mp4",
    "- [x]: {y}.mp4",
    "\u{2028}\u{2029}.mp4", " ", "#\u{FE0F}\u{20E3} SKIP\\\u{301}.mp4",
    "%\u{301},\u{301}:\u{301}\"\u{301}<\u{301}.mp4", "\r\n",
  ]

  /// All C0 controls, the first and last C1 control, characters that XML forbids, and the markup of each format.
  static let hostileText =
    String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init)))
    + "\u{7F}\u{80}\u{9F}\u{2028}\u{FFFE}%25 <b>&amp; \"it's\" ]]> ::error::\\ # TODO {0} [a](1) 🏐"

  static let passing = ValidationResult(
    file: "season/a b.mp4",
    checks: rules.map { RuleCheck($0.id, .pass, depth: .everything) }, seconds: 0.5)

  static let refused = ValidationResult(
    file: "it's \"quoted\" & <odd>.mp4",
    checks: [
      RuleCheck("clip.duration", .fail, depth: .headers), RuleCheck("mux.bit-rate", .fail, depth: .headers),
      RuleCheck("mux.edit-list", .unknown, depth: .headers),
    ],
    findings: [
      Finding(rule: "mux.bit-rate", severity: .warning, message: "9 Mbit/s", place: "video track"),
      Finding(
        rule: "clip.duration", severity: .error, message: "the clip lasts 1.1 s; a rally has 3 to 60 s",
        next: "bsc share --trim"),
    ], seconds: 1.25)

  static let warned = ValidationResult(
    file: "🏐 50%, take: 2.mp4",
    checks: [
      RuleCheck("clip.duration", .pass, depth: .samples), RuleCheck("mux.bit-rate", .fail, depth: .samples),
      RuleCheck("mux.edit-list", .fail, depth: .samples),
    ],
    findings: [
      Finding(rule: "mux.edit-list", severity: .info, message: hostileText),
      Finding(rule: "mux.bit-rate", severity: .warning, message: "9 Mbit/s", place: "track 1"),
      Finding(rule: "mux.bit-rate", severity: .warning, message: "12 Mbit/s", place: "track 1"),
      Finding(rule: "rally.odd", severity: .info, message: "not in the catalog"),
    ], seconds: 2)

  static let unjudged = ValidationResult(
    file: "new\nline # SKIP.mp4",
    failure: Explanation(
      id: "strip.incomplete", what: "cannot read new\nline", why: "the file ends\u{1B}[2J inside its header",
      category: .unjudged), seconds: 0.001)

  static let all = [passing, refused, warned, unjudged]

  /// The expected counts of `all`.
  static func counts(failingOn threshold: Finding.Severity) -> VerdictCounts {
    var counts = VerdictCounts()
    for verdict in [Verdict.pass, threshold == .error ? .pass : .fail, .fail, .unjudged] { counts.add(verdict) }
    return counts
  }

  /// A complete report.
  static func write(
    _ kind: ReportKind, _ results: [ValidationResult] = all, failingOn threshold: Finding.Severity = .error,
    width: Int? = nil, isQuiet: Bool = false
  ) throws -> String {
    let terms = ReportOptions(rules: rules, threshold: threshold, version: "1.2.3", width: width, isQuiet: isQuiet)
    var report = kind.makeReport(terms, text: TextReport.init)
    var text = ""
    for result in results { text += try report.add(result) }
    return try text + report.finish()
  }

  /// The result of a file with one finding.
  static func finding(
    file: String = "a.mp4", message: String = "x", severity: Finding.Severity = .error
  ) -> ValidationResult {
    ValidationResult(
      file: file, checks: [RuleCheck("clip.duration", .fail, depth: .headers)],
      findings: [Finding(rule: "clip.duration", severity: severity, message: message, place: message, next: message)])
  }
}
