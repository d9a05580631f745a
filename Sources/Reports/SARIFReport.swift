import ClipModel
import Foundation

/// SARIF 2.1.0 for code scanning. Rules that could not be checked are open results.
struct SARIFReport: ValidationReport {
  private let rules: [Rule]
  private let indices: [String: Int]
  private let version: String
  private var results: [SARIFResult] = []
  private var notifications: [SARIFNotification] = []

  init(_ terms: ReportTerms) {
    rules = terms.rules
    indices = Dictionary(terms.rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
    version = terms.version
  }

  mutating func add(_ result: ValidationResult) -> String {
    let location = SARIFLocation(path: result.file)
    var fingerprints = FindingFingerprints(file: result.file)
    for finding in result.findings {
      results.append(
        SARIFResult(
          finding, index: indices[finding.rule], at: location,
          fingerprint: fingerprints.next(rule: finding.rule, place: finding.place)))
    }
    for check in result.unknownChecks {
      results.append(
        SARIFResult(
          unknown: check, index: indices[check.rule], at: location,
          fingerprint: fingerprints.next(rule: check.rule, place: nil)))
    }
    if let failure = result.failure {
      notifications.append(SARIFNotification(failure, at: location))
    }
    return ""
  }

  func end() throws -> String {
    let driver = SARIFLog.Driver(version: version, rules: rules.map(SARIFRule.init))
    // A run with files that could not be checked has not succeeded, regardless of its findings.
    let invocation = SARIFLog.Invocation(
      executionSuccessful: notifications.isEmpty, toolExecutionNotifications: notifications)
    return try JSONText.line(
      SARIFLog(runs: [.init(tool: .init(driver: driver), invocations: [invocation], results: results)]))
  }
}

/// Identifies results across runs by file, rule and location. Messages contain numbers that change.
private struct FindingFingerprints {
  let file: String
  private var earlier: [String: Int] = [:]

  init(file: String) { self.file = file }

  /// Returns the next fingerprint. Identical results are numbered.
  mutating func next(rule: String, place: String?) -> String {
    let hash = Self.hash("\(file)\0\(rule)\0\(place ?? "")")
    earlier[hash, default: 0] += 1
    return "\(hash):\(earlier[hash, default: 1])"
  }

  /// FNV-1a, because Swift's hashes differ between runs.
  private static func hash(_ text: String) -> String {
    let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
