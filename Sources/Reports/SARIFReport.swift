import ClipModel
import Foundation

/// Writes SARIF 2.1.0 for code scanning tools. Rules that could not be checked become open results.
struct SARIFReport: ValidationReport {
  private let rules: [Rule]
  private let indices: [String: Int]
  private let version: String
  private var results: [SARIFResult] = []
  private var notifications: [SARIFNotification] = []

  init(_ terms: ReportOptions) {
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
          fingerprint: fingerprints.nextFingerprint(rule: finding.rule, place: finding.place)))
    }
    for check in result.unknownChecks {
      results.append(
        SARIFResult(
          unknown: check, index: indices[check.rule], at: location,
          fingerprint: fingerprints.nextFingerprint(rule: check.rule, place: nil)))
    }
    if let failure = result.failure {
      notifications.append(SARIFNotification(failure, at: location))
    }
    return ""
  }

  func finish() throws -> String {
    let driver = SARIFLog.Driver(version: version, rules: rules.map(SARIFRule.init))
    // If some files could not be checked, the run did not succeed, regardless of its findings.
    let invocation = SARIFLog.Invocation(
      executionSuccessful: notifications.isEmpty, toolExecutionNotifications: notifications)
    return try JSONText.encodeLine(
      SARIFLog(runs: [.init(tool: .init(driver: driver), invocations: [invocation], results: results)]))
  }
}

/// Creates fingerprints that identify results across runs by file, rule and location. Messages aren't part of a
/// fingerprint because they contain numbers that change.
private struct FindingFingerprints {
  let file: String
  private var earlier: [String: Int] = [:]

  init(file: String) { self.file = file }

  /// Returns the next fingerprint. Numbers distinguish identical results.
  mutating func nextFingerprint(rule: String, place: String?) -> String {
    let hash = Self.hashFNV1a("\(file)\0\(rule)\0\(place ?? "")")
    earlier[hash, default: 0] += 1
    return "\(hash):\(earlier[hash, default: 1])"
  }

  /// Computes the FNV-1a hash, because Swift's hash values differ between runs.
  private static func hashFNV1a(_ text: String) -> String {
    let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
